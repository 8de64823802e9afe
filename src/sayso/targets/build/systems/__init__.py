"""Systems that make a build script of a source's documents and tree, and the stages that they are made of."""
