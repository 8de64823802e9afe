"""Other forms of a command: canonical, template, grains, skeleton, outline, and how alike two are."""
