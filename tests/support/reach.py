"""What a test needs, found by what its code can reach: the programs that it starts, a browser, an engine, a viewer.

A test is followed through its fixtures, its parameters and the helpers of `tests`; the product is not followed. So no
list of files has to be kept: `make quick` leaves out what starts anything, and a test needs no mark.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from types import CodeType, FunctionType, MethodType, ModuleType, NoneType
from typing import Any, Final, cast

import pytest

NEEDS: Final = {
    "process": frozenset({"subprocess", "Popen", "posix_spawn", "fork", "forkpty", "stdio_client", "WorkerPool"}),
    "browser": frozenset({"tests.support.screens.browser.browser"}),
    "engine": frozenset({"tests.support.fleet.redis_server.engine_program"}),
    "pilot": frozenset({"run_test", "snap_compare", "tests.support.screens.recordings.recorded"}),
}
"""Names in the code that asks for each; of our own helpers with their modules."""
_PLAIN: Final = (str, bytes, int, float, NoneType)
_INNER: Final[dict[type, str]] = {
    MethodType: "__func__",
    classmethod: "__func__",
    staticmethod: "__func__",
    property: "fget",
    cached_property: "func",
}


def needs_of(item: pytest.Function) -> set[str]:
    """Return the markers of a test."""
    fixtures = item._fixtureinfo.name2fixturedefs  # pyright: ignore[reportPrivateUsage] - pytest says it nowhere else
    used = tuple(definition.func for definitions in fixtures.values() for definition in definitions)
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    found = {need for start in given if not isinstance(start, _PLAIN) for need in _needs_of_value(start)}
    found |= _needs_of_all(item.obj, used)
    return found | {"pilot" for name in item.fixturenames if name in NEEDS["pilot"]}


@cache
def _needs_of_all(test: Callable[..., object], fixtures: tuple[Callable[..., object], ...]) -> frozenset[str]:
    """Return what a test with its fixtures needs, once for all its parameters."""
    return frozenset(need for start in (test, *fixtures) for need in _needs_of_value(start))


def _needs_of_value(start: object) -> set[str]:
    return set[str]().union(*map(_needs, _functions_in(start)))


def _functions_in(value: Any) -> Iterator[FunctionType]:  # noqa: ANN401 - whatever a test is given
    """Yield the functions of the tests' code that a value is, or that its class has."""
    value = _unwrapped(value)
    if isinstance(value, dict):  # a table of functions
        for one in cast("dict[object, object]", value).values():
            if callable(one):
                yield from _functions_in(one)
        return
    if inspect.isfunction(value):
        if _is_ours(value.__module__):
            yield value
        return
    kind = cast("type", value if inspect.isclass(value) else type(cast("object", value)))
    if _is_ours(kind.__module__):
        yield from filter(inspect.isfunction, map(_unwrapped, vars(kind).values()))


def _unwrapped(value: Any) -> Any:  # noqa: ANN401 - whatever a class may have
    """Return the plain function of a method, a property, or a decorated function."""
    if type(value) in _INNER:
        value = getattr(value, _INNER[type(value)])
    return inspect.unwrap(value) if callable(value) else value


def _is_ours(module: str | None) -> bool:
    return module is not None and module.startswith("tests.")


@cache
def _needs(start: FunctionType) -> frozenset[str]:
    """Return what a function and all that it can call need."""
    seen, todo, needs = {start}, [start], set[str]()
    while todo:
        own_needs, called = _own(todo.pop())
        needs |= own_needs
        todo += called - seen
        seen |= called
    return frozenset(needs)


@cache
def _own(function: FunctionType) -> tuple[frozenset[str], frozenset[FunctionType]]:
    """Return what a function itself needs, and the functions that it can call."""
    own = {*_names_in(function.__code__)}
    names = {*own, f"{function.__module__}.{function.__qualname__}"}
    return frozenset(marker for marker, signs in NEEDS.items() if names & signs), frozenset(_called(function, own))


def _names_in(code: CodeType) -> Iterable[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _called(function: FunctionType, names: set[str]) -> Iterator[FunctionType]:
    modules = list[ModuleType]()
    for name in names:
        value: Any = function.__globals__.get(name)
        if inspect.ismodule(value):
            modules.append(value)
        else:
            yield from _functions_in(value)
    for cell in function.__closure__ or ():
        yield from _functions_in(cell.cell_contents)
    for module in modules:
        if _is_ours(module.__name__):
            for name in names:
                yield from _functions_in(getattr(module, name, None))
