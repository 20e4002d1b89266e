"""Properties computed once per object, without a lock.

Up to Python 3.11, `functools.cached_property` uses one lock for all objects of a class. Threads
then wait for each other, and a process that is forked while the lock is held waits forever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class CachedProperty(Generic[Value]):
    """A property that stores its value on first use; two threads may both compute the value."""

    def __init__(self, function: Callable[[Any], Value]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Value: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> Self | Value:
        if instance is None:
            return self
        value = self._function(instance)
        # From now on, the value in the instance dictionary shadows this descriptor. All threads get
        # the value stored first, because some callers compare it by identity.
        kept: Value = instance.__dict__.setdefault(self._name, value)
        return kept


cached_property = CachedProperty
