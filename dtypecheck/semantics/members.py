"""Attributes by which a torch tensor and a numpy array are told apart.

What the type of a value lacks cannot be asked of it: Python raises AttributeError. Both sets are checked
against the types themselves.
"""

from __future__ import annotations

_SHARED = """
    all any argmax argmin argsort clip conj cumprod cumsum data device diagonal dot dtype flatten imag
    item itemsize max mean min mT nbytes ndim nonzero prod put ravel real repeat reshape resize round
    shape size sort squeeze std sum swapaxes T take tolist trace transpose var view
"""

_ALONE = """
    argpartition astype base byteswap choose compress conjugate copy ctypes dump dumps fill flags flat
    getfield itemset newbyteorder partition ptp searchsorted setfield setflags strides to_device tobytes
    tofile tostring
"""

OF_ARRAYS_ALONE = frozenset(_ALONE.split())
"""Public attributes of numpy.ndarray, numpy 1.26 to 2.4, that torch.Tensor has not, torch 2.13."""

OF_ARRAYS = frozenset(_SHARED.split()) | OF_ARRAYS_ALONE
"""All public attributes of numpy.ndarray."""
