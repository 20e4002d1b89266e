# The strength of hands (csrc/strength.hpp). Included at the end of engine.pyx, for the reason given
# in objectives.pxi.

cdef class StrengthTable:
    """The strength of hands in one contract and trump.

    ``suits`` are the plain suits, followed by the trumps if there are ``trumps``: each has its
    length, the number of its low cards, and the vectors of its holdings, of its called cards, and
    of its holdings when one is called. ``position`` has the vectors of positions. ``layers`` has
    one or two layers after the sums, each with its weights, unit by unit, and its biases.
    ``scores`` are those of the payoffs, each with its weights, bias, first score, distance between
    scores, shares, and increase over the previous payoff. ``made`` is the first score of a made
    contract, ``least`` the lowest payoff. Raises ArgumentError for tables that do not fit together.
    """

    cdef unique_ptr[CStrength] ptr

    def __init__(self, suits, cbool trumps, position, layers, scores, made, float least):
        cdef vector[StrengthSuit] all_suits
        cdef StrengthSuit suit
        cdef StrengthLayer wide
        cdef StrengthLayer last
        cdef vector[StrengthScore] all_scores
        cdef StrengthScore score
        cdef unique_ptr[CStrength] table
        for length, low, holdings, called, called_suit in suits:
            suit.length = _whole("a length", length, 13)
            suit.low = _whole("a number of low cards", low, 13)
            suit.holdings = holdings
            suit.called = called
            suit.called_suit = called_suit
            all_suits.push_back(suit)
        *before, (last.weights, last.bias) = layers
        for wide.weights, wide.bias in before:
            pass
        for weights, bias, start, step, shares, rise in scores:
            score.weights = weights
            score.bias = bias
            score.start = start
            score.step = step
            score.shares = shares
            score.rise = rise
            all_scores.push_back(score)
        table = unique_ptr[CStrength](new CStrength(
            all_suits, trumps, position, wide, last, all_scores,
            _whole("a score", made, 255), least))
        _refuse(table.get().fault())
        self.ptr.swap(table)

    @property
    def positions(self):
        """The number of distinguished positions in the order of play."""
        return self._get().positions()

    def made(self, hand, int position, int called=-1):
        """Return the share of deals in which the contract makes with a hand, given as a bit set.

        ``called`` is the number of a card, -1 for none. Raises ArgumentError for a hand, a position
        or a card that the tables do not have.
        """
        return self._get().made(self._checked(hand, position, called), position, called)

    def payoff(self, hand, int position, int called=-1):
        """Return the declarer's mean payoff with a hand; arguments as for `made`."""
        return self._get().payoff(self._checked(hand, position, called), position, called)

    def many(self, hands, int position, int called=-1):
        """Return the share of made contracts and the mean payoff of each of many hands, as floats.

        Raises ArgumentError as `made` does.
        """
        cdef _Words words = _Words(hands)
        cdef CStrength* table = self._get()
        cdef size_t i
        cdef float* row
        cdef cbool known = True
        self._checked(0, position, called)
        if not words.count:
            return memoryview(b"").cast("f")
        room = bytearray(2 * sizeof(float) * words.count)
        row = <float*>PyByteArray_AsString(room)
        with nogil:
            for i in range(words.count):
                if not table.knows(words.first[i]):
                    known = False
                    break
                row[2 * i] = table.made(words.first[i], position, called)
                row[2 * i + 1] = table.payoff(words.first[i], position, called)
        if not known:
            raise ArgumentError("the hand has cards outside these suits")
        return memoryview(room).cast("f")

    cdef uint64_t _checked(self, hand, int position, int called) except *:
        cdef uint64_t cards = _whole("a hand", hand, UINT64_MAX)
        _whole("a position", position, self._get().positions() - 1)
        if not self._get().calls(called):
            raise ArgumentError(f"none of these tables has the called card {called}")
        if not self._get().knows(cards):
            raise ArgumentError("the hand has cards outside these suits")
        return cards

    cdef CStrength* _get(self) except NULL:
        if not self.ptr:
            raise ArgumentError("these tables have not been initialized")
        return self.ptr.get()
