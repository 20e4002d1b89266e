# Plans of a player who does not see the other hands (csrc/plans.hpp). Included at the end of
# engine.pyx, for the reason given in objectives.pxi.


cdef class PlanSolver(_Interruptible):
    """Finds what each card of the player to move wins without seeing the other hands.

    ``problem`` is the decision with any of its layouts. ``aims`` lists the player's aims: an
    objective, its state, a value, and whether the player wants at least that value or a lower one.
    ``hands`` has a hand for each player, layout by layout, as 64-bit numbers; ``weights`` and
    ``numbers`` give a weight and the index of an aim for each layout. ``mixed=True`` and
    ``grouped=True`` are for tests: the first bounds come from opponents who choose at random, or
    from groups of layouts. Raises ArgumentError for layouts of another decision.
    """

    cdef unique_ptr[CPlanSearch] ptr
    cdef vector[PlanValue] found

    def __init__(self, problem, aims, hands, weights, numbers, *, memory=DEFAULT_MEMORY,
                 cbool plain=False, cbool mixed=False, cbool grouped=False):
        cdef Problem p
        cdef vector[CAim] wanted
        cdef CAim aim
        cdef WeighedLayouts layouts
        cdef _Words words = _Words(hands)
        _fill(p, problem)
        for objective, state, need, at_least in aims:
            if (<Objective?>objective).open_trump.declarer >= 0 and p.trump < 0:
                raise ArgumentError(
                    "plans cannot be searched for before the declarer has named trumps")
            aim.objective = (<Objective>objective).ptr
            aim.state = _whole("state", state, INT32_MAX, INT32_MIN)
            aim.need = _whole("need", need, INT32_MAX, INT32_MIN)
            aim.at_least = at_least
            wanted.push_back(aim)
        layouts.hands.assign(words.first, words.first + words.count)
        for weight in weights:
            layouts.weights.push_back(_whole("a weight", weight, UINT32_MAX, 1))
        for number in numbers:
            layouts.aims.push_back(_whole("the number of an aim", number, 255))
        _refuse(CPlanSearch.fault(p, wanted, layouts))
        self.ptr = unique_ptr[CPlanSearch](new CPlanSearch(
            p, wanted, layouts, _whole("memory", memory, SIZE_MAX), plain,
            First.groups if grouped else First.mixing if mixed else First.fronts))

    def interrupt(self):
        """Make a search in another thread stop soon; does nothing if none is running."""
        self.stopping.store(True)

    def values(self, *, int blind=0, int threads=1, double seconds=0, work=0):
        """Return the value of each card, and what stopped the search early.

        Of equivalent cards, only the lowest is listed. The entries are as in `valued`. The
        player sees all hands after ``blind`` choices of their own, including this one; 0 means
        never. ``work`` limits the work on each card, counted in layouts examined, which does not
        depend on the machine; 0 means no limit. The memory for each card is limited as well.
        """
        cdef Limits limits = self._limits(0, seconds, PATIENCE)
        cdef Stop why = Stop.none
        _whole("blind", blind, INT16_MAX)
        _whole("threads", threads, _MOST_THREADS, 1)
        limits.nodes = _whole("work", work, UINT64_MAX)
        self._enter(anew=True)
        try:
            with nogil:
                why = self._get().values(blind, threads, limits, self.found)
        finally:
            self._leave(why)
        return self.valued, "memory" if why == Stop.budget else _WHY.get(<int>why)

    @property
    def valued(self):
        """The values found by the last search, even an interrupted one.

        Each is (card, its equivalents as bits, weight won with all hands seen, lower and upper
        bound of the weight that one plan wins); the bounds are equal if the value is proved. The
        last three are replaced by None if the search did not reach the card.
        """
        if self.busy:
            raise RuntimeError("these plans are in use by another thread")
        return [
            (card.card, card.equals, card.open, card.least, card.most)
            if card.known else (card.card, card.equals, None, None, None)
            for card in self.found
        ]

    def plan(self, int card, *, size_t most=100_000, double seconds=0):
        """Return the steps of the best plan found for a card, and whether they are complete.

        A step is (index of the previous step or -1, cards of the others since then, own card,
        weight of the layouts that reach it). Returns None if a limit stopped the search.
        """
        cdef Limits limits = self._limits(0, seconds, PATIENCE)
        cdef Stop why = Stop.none
        cdef vector[PlanStep] steps
        cdef cbool whole = True
        cdef PlanValue value
        cdef cbool valued = False
        for value in self.found:
            if value.card == card and value.known:
                valued = True
                break
        if not valued:
            raise ArgumentError(f"card {card} has not been valued")
        self._enter(anew=True)
        try:
            with nogil:
                why = self._get().plan(value, most, limits, steps, whole)
        finally:
            self._leave(why)
        if why != Stop.none:
            return None
        return [(step.parent, tuple(step.seen), step.card, step.weight) for step in steps], whole

    cdef CPlanSearch* _get(self) noexcept nogil:
        return self.ptr.get()
