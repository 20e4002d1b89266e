# The worth of hands (csrc/strength.hpp). Included at the end of engine.pyx, for what objectives.pxi
# says.

cdef class StrengthTable:
    """Scores of hands in one contract and trump, and what they predict.

    ``lanes`` are the plain suits, and the trumps in the last lane if there are ``trumps``: each its
    length, the number of its low cards, and the scores of its holdings and of called cards, see
    `spadille.core.strength.score_tables`. ``numbers`` are those of trumps that are told apart,
    ``position`` the scores of positions; ``link`` is the first knot, their distance, and the values
    there. Raises ArgumentError for tables that do not fit together.
    """

    cdef unique_ptr[CStrength] ptr

    def __init__(self, lanes, cbool trumps, int numbers, position, link):
        cdef vector[StrengthSuit] suits
        cdef StrengthSuit suit
        cdef StrengthLink values
        cdef unique_ptr[CStrength] made
        _whole("numbers", numbers, 64, 1)
        for length, low, scores, called in lanes:
            suit.length = _whole("a length", length, 13)
            suit.low = _whole("a number of low cards", low, 13)
            suit.scores = scores
            suit.called = called
            suits.push_back(suit)
        start, step, knots = link
        values.start = _whole("a score", start, INT16_MAX, INT16_MIN)
        values.step = _whole("a distance", step, INT16_MAX)
        values.values = knots
        made = unique_ptr[CStrength](new CStrength(suits, trumps, numbers, position, values))
        _refuse(made.get().fault())
        self.ptr.swap(made)

    @property
    def positions(self):
        """The number of positions in order of play that are told apart."""
        return self._get().positions()

    def score(self, hand, int position, int called=-1):
        """The score of a hand as bits; ``called`` is the number of a card, -1 for none.

        Raises ArgumentError for a hand, a position or a card that the tables do not have.
        """
        self._check(position, called)
        cdef uint64_t cards = _whole("a hand", hand, UINT64_MAX)
        if not self._get().knows(cards):
            raise ArgumentError("a hand with other cards than those of these suits")
        return self._get().score(cards, position, called)

    def value(self, int score):
        """What a score predicts, in the unit of the values."""
        return self._get().value(score)

    def values(self, hands, int position, int called=-1):
        """What the scores of many hands predict, as 32-bit floats.

        Raises ArgumentError as `score` does.
        """
        self._check(position, called)
        cdef _Words words = _Words(hands)
        cdef CStrength* table = self._get()
        cdef size_t i
        cdef float* row
        cdef cbool known = True
        if not words.count:
            return memoryview(b"").cast("f")
        room = bytearray(sizeof(float) * words.count)
        row = <float*>PyByteArray_AsString(room)
        with nogil:
            for i in range(words.count):
                if not table.knows(words.first[i]):
                    known = False
                    break
                row[i] = table.value(table.score(words.first[i], position, called))
        if not known:
            raise ArgumentError("a hand with other cards than those of these suits")
        return memoryview(room).cast("f")

    cdef _check(self, int position, int called):
        _whole("a position", position, self._get().positions() - 1)
        if not self._get().calls(called):
            raise ArgumentError(f"card {called} is called in none of these tables")

    cdef CStrength* _get(self) except NULL:
        if not self.ptr:
            raise ArgumentError("tables that were not set up")
        return self.ptr.get()
