"""What cells may do to the machine: each was written by hand, with the level that a careful reader gives it."""

from __future__ import annotations

import pytest

from sayso.targets.notebook.language import risk

READS = [
    "df = pd.read_csv('a.csv')\ndf.head()",
    "import numpy as np\nx = np.linspace(0, 1)\nprint(x.mean())",
    "with open('notes.txt') as f:\n    text = f.read()",
    "open('a', 'rb')",
    "Image.open('cat.png')",
    "fig, ax = plt.subplots()\nax.plot(x, y)\nplt.show()",
    "import requests\nr = requests.get(url)",
    "def double(x):\n    return 2 * x\ndouble(3)",
    "names.remove('Anna')\ndel names[0]",
    "df = df.drop(columns='a').rename(columns={'b': 'c'}).drop_duplicates()",
    "from sklearn.tree import DecisionTreeClassifier\nm = DecisionTreeClassifier()\nm.fit(X, y)",
    "%matplotlib inline\n%time x = sorted(y)",
    "!ls -la data\n!head -5 a.csv",
    "files = !ls",
    "import os\nos.listdir('.')\nos.path.join(a, b)",
    "conn.execute('SELECT * FROM t')",
    "pd.read_sql('select 1', conn)",
    "x = getattr(model, 'coef_')",
    "[f(x) for x in xs for f in (abs, len)]",
    "%%html\n<b>x</b>",
]
WRITES = [
    "df.to_csv('out.csv')",
    "open('a', 'w').write('x')",
    "open('a', mode='a')",
    "with p.open('wb') as f: pass",
    "plt.savefig('a.png')",
    "np.save('a', x)",
    "import json\njson.dump(x, f)",
    "import os\nos.makedirs('a/b')",
    "import shutil as s\ns.move(a, b)",
    "from pathlib import Path\nPath('a').write_text('b')",
    "%%writefile a.py\nx = 1",
    "!pip install pandas",
    "%pip install pandas",
    "import requests\nrequests.post(url, data=d)",
    "import urllib.request\nurllib.request.urlretrieve(url, 'a')",
    "cur.execute('INSERT INTO t VALUES (1)')",
    "!wget http://example.org/a.zip && unzip a.zip",
    "model.save('m.h5')",
    "path.rename('b')",
]
DESTROYS = [
    "get_ipython().system('rm a')",
    "import os\nos.system('rm -rf data')",
    "import subprocess\nsubprocess.run(['rm', '-r', 'data'], check=True)",
    "from subprocess import check_call as run_it, call\ncall('ls; sudo rm x', shell=True)",
    "subprocess.Popen('rm a', shell=True)",
    "import os\nos.remove('a')",
    "from os import remove as r\nr('a')",
    "import os as system\nsystem.unlink(p)",
    "import shutil\nshutil.rmtree('data')",
    "from shutil import rmtree\nlist(map(rmtree, folders))",
    "wipe = os.remove\nfor f in files: wipe(f)",
    "o = os\no.remove('a')",
    "getattr(os, 'remove')('a')",
    "__import__('os').remove('a')",
    "import importlib\nimportlib.import_module('shutil').rmtree('a')",
    "from pathlib import Path\nPath('a').unlink()",
    "def clean():\n    import os\n    os.rmdir('a')",
    "!rm -rf build",
    "if old:\n    !rm a.txt",
    "%%bash\ncd data\nrm *.csv",
    "%%sh\nls | rm x",
    "%reset -f",
    "cur.execute('DROP TABLE users')",
    "db.users.delete_many({})",
    "requests.delete(url)",
    "os.kill(pid, 9)",
]
UNKNOWN = [
    "eval(text)",
    "exec(open('a.py').read())",
    "getattr(os, name)('a')",
    "getattr(os, 'rem' + 'ove')('a')",
    "import subprocess\nsubprocess.run(['ls'])",
    "os.system('ls')",
    "from os import *\nremove('a')",
    "helper(df)",
    "def apply(module): module.remove('a')\napply(os)",
    "tools = [os, sys]\ntools[0].remove('a')",
    "open(path, mode)",
    "open(*args)",
    "import pickle\npickle.load(f)",
    "!./install.sh",
    "!ls > out.txt",
    "!find . -name '*.pyc' -delete",
    "%run other.py",
    "%some_magic x",
    "%%perl\nunlink 'a'",
    "cur.execute(statement)",
    "os.__dict__['remove']('a')",
    "globals()['remove']('a')",
    "handlers[0](x)",
    "import ctypes\nctypes.CDLL(None)",
    "x = = 1",
    "",
]
CASES = [
    (cell, level)
    for level, cells in (("reads", READS), ("writes", WRITES), ("destroys", DESTROYS), ("unknown", UNKNOWN))
    for cell in cells
]


@pytest.mark.parametrize(("cell", "level"), CASES)
def test_the_level_is_what_a_reader_gives(cell: str, level: str) -> None:
    assert risk(cell).level == level


def test_the_words_say_why() -> None:
    assert risk("from os import remove as r\nr('a')\ndf.to_csv('b')").words == ("os.remove",)
    assert risk("!rm a; ls").words == ("rm",)
    assert risk("x = 1").words == ()


def test_what_destroys_and_is_unknown_destroys() -> None:
    assert risk("os.remove(p)\neval(x)").level == "destroys"
