"""Every public object has a docstring, and its examples run."""

import doctest
import inspect
import pathlib

import pytest
import tiledesc


def documented():
    yield "tiledesc", tiledesc
    for name in tiledesc.__all__:
        value = getattr(tiledesc, name)
        if name.startswith("__"):
            continue
        yield name, value
        if inspect.isclass(value):
            for member, of in vars(value).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", getattr(value, member)


def test_all_is_documented():
    bare = [name for name, value in documented() if not (getattr(value, "__doc__", None) or "").strip()]
    assert bare == []


def test_examples_run():
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    tried = 0
    for name, value in documented():
        text = inspect.cleandoc(value.__doc__)
        test = parser.get_doctest(text, {}, name, name, 0)
        tried += len(test.examples)
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
    assert tried > 30, f"{tried} examples"


ROOT = pathlib.Path(__file__).parents[2]
PAGES = [path for path in ROOT.glob("docs/src/*.md") if ">>> " in path.read_text()]


@pytest.mark.parametrize("page", ["python/README.md", *(f"docs/src/{path.name}" for path in PAGES)])
def test_the_page(page):
    path = ROOT / page
    if not path.exists():
        pytest.skip(f"there is no {path}")
    text = path.read_text()
    # The fences are not part of an answer.
    text = text.replace("```python\n>>>", "\n>>>").replace("\n```\n", "\n\n")
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(text, {}, page, page, 0))
    assert runner.summarize(verbose=False).failed == 0
