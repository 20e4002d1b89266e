# Many layouts of one decision (csrc/many_layouts.hpp). Included at the end of engine.pyx, for the
# reason given in objectives.pxi.

_MOST_THREADS = 1024


cdef Wide _wide(name, number) except *:
    number = _whole(name, number, (1 << 128) - 1)
    return wide(number >> 64, number & UINT64_MAX)


cdef class _Words:
    """A view of 64-bit numbers in the memory of an object, which it keeps alive.

    This is not a typed memoryview, for which Cython would compile some thousand lines.
    """

    cdef Py_buffer buffer
    cdef const uint64_t* first
    cdef size_t count

    def __cinit__(self, owner):
        PyObject_GetBuffer(owner, &self.buffer, PyBUF_ND | PyBUF_FORMAT)
        if self.buffer.itemsize != sizeof(uint64_t) or self.buffer.format[0] not in b"QL":
            raise ArgumentError("expected an array of unsigned 64-bit numbers (type Q)")
        self.first = <const uint64_t*>self.buffer.buf
        self.count = self.buffer.len // sizeof(uint64_t)

    def __dealloc__(self):
        PyBuffer_Release(&self.buffer)


cdef class Unranker:
    """Converts ranks of layouts into hands (csrc/layout_unranker.hpp).

    ``classes``, ``nodes`` and ``splits`` are those of
    `spadille.core.knowledge.layouts.LayoutNodes`, with cards as numbers. ``bins`` gives the player
    whose cards a bin holds, -1 for nobody; ``hands`` the cards each player is known to hold. Raises
    ArgumentError unless they describe layouts.
    """

    cdef unique_ptr[CUnranker] ptr

    def __init__(self, classes, nodes, splits, bins, hands):
        cdef vector[UnrankNode] all_nodes
        cdef vector[UnrankSplit] all_splits
        cdef UnrankNode node
        cdef UnrankSplit split
        cdef unique_ptr[CUnranker] made
        for level, first, last in nodes:
            node.level = _whole("a class", level, UINT32_MAX)
            node.first = _whole("a split", first, UINT32_MAX)
            node.last = _whole("a split", last, UINT32_MAX)
            all_nodes.push_back(node)
        for start, ways, weight, after, below, *takes in splits:
            split.start = _wide("a rank", start)
            split.ways = _wide("a number of ways", ways)
            split.weight = _whole("a weight", weight, UINT64_MAX)
            split.below = _wide("a number of layouts", below)
            split.after = _whole("a node", after, UINT32_MAX)
            split.takes = takes
            all_splits.push_back(split)
        made = unique_ptr[CUnranker](new CUnranker(classes, all_nodes, all_splits, bins, hands))
        _refuse(made.get().fault())
        self.ptr.swap(made)

    def hands(self, ranks):
        """Return the hands of layouts, one for each player, layout by layout.

        A rank is two 64-bit numbers, low half first. Raises ArgumentError for a rank that is too
        large.
        """
        cdef _Words words = _Words(ranks)
        cdef size_t i, count = words.count // 2
        cdef Wide rank, behind
        cdef uint64_t* hand
        cdef cbool fits = True
        if not self.ptr:
            raise ArgumentError("these layouts have not been initialized")
        if not count:
            return memoryview(b"").cast("Q")
        behind = self.ptr.get().count()
        cdef size_t players = self.ptr.get().players()
        room = bytearray(sizeof(uint64_t) * count * players)
        hand = <uint64_t*>PyByteArray_AsString(room)
        with nogil:
            for i in range(count):
                rank = wide(words.first[2 * i + 1], words.first[2 * i])
                if not rank < behind:
                    fits = False
                    break
                self.ptr.get().hands(rank, hand + i * players)
        if not fits:
            raise ArgumentError("a rank is too large for the number of layouts")
        return memoryview(room).cast("Q")


cdef class LayoutSolver(_Interruptible):
    """Values each card a player may play, in many layouts of the cards they cannot see.

    ``problem`` is the decision with any of its layouts; the player to move holds the same cards in
    all of them. Without ``cards`` the position is valued instead, and that hand may vary. ``asked``
    lists the questions: an objective, its state and the first guess of the value. If there are
    several, the holders of the cards ``telling`` select the question of a layout: ``table`` has its
    index, or 255 for none, at the position whose base players + 1 digits are the holders, where the
    digit ``players`` stands for nobody.

    ``memory`` limits the table of each thread in bytes. Raises ArgumentError for questions that do
    not fit the decision.
    """

    cdef unique_ptr[CLayouts] ptr
    cdef int players

    def __init__(self, problem, asked, *, telling=(), table=b"\0", cbool cards=True,
                 memory=DEFAULT_MEMORY, cbool plain=False):
        cdef Problem p
        cdef vector[CAsked] questions
        cdef CAsked question
        cdef Telling holders
        cdef int low = 0, high = 0
        _fill(p, problem)
        for objective, state, guess in asked:
            question.objective = (<Objective?>objective).ptr
            question.open = (<Objective>objective).open_trump
            question.state = _whole("state", state, INT32_MAX, INT32_MIN)
            question.guess = _whole("guess", guess, INT32_MAX, INT32_MIN)
            questions.push_back(question)
        for card in telling:
            holders.cards.push_back(_whole("a card that tells", card, 63))
        for number in table:
            holders.question.push_back(_whole("a question", number, 255))
        _refuse(CLayouts.fault(p, questions, holders))
        for question in questions:
            question.objective.get().span(tricks_left(p), question.state, low, high)
            if low < INT16_MIN or high > INT16_MAX:
                raise ArgumentError(f"values from {low} to {high} do not fit into 16 bits")
        self.players = p.players
        self.ptr = unique_ptr[CLayouts](new CLayouts(
            p, questions, holders, cards, _whole("memory", memory, SIZE_MAX), plain))

    @property
    def cards(self):
        """The cards that are valued, ascending; empty if the position is valued."""
        return tuple(self._get().cards())

    @property
    def width(self):
        """The number of values in a layout's row: its question, then the values."""
        return self._get().width()

    @property
    def finished(self):
        """The number of layouts of the run finished so far, in order; other threads may ask."""
        return self._get().finished()

    @property
    def nodes(self):
        """Positions visited for the finished layouts."""
        return self._get().nodes()

    def interrupt(self):
        """Make a run in another thread stop soon; does nothing if none is running."""
        self.stopping.store(True)

    def questions(self, hands):
        """Return the number of the question of each layout, as bytes.

        Layouts are given as for `values`, with the same errors.
        """
        cdef _Words words = _Words(hands)
        cdef size_t count = self._count(words)
        cdef const char* refused
        cdef uint8_t* numbers
        room = bytearray(count)
        numbers = <uint8_t*>PyByteArray_AsString(room)
        with nogil:
            refused = self.ptr.get().refuses(words.first, count)
            if refused == NULL:
                self.ptr.get().questions(words.first, count, numbers)
        _refuse(refused)
        return bytes(room)

    def values(self, hands, *, int threads=1, nodes=0, double seconds=0):
        """Value layouts, given as bytes with a hand for each player, layout by layout.

        Returns rows of 16-bit numbers: the question of the layout, then the value of each of
        `cards`. There are rows for all layouts, or, if a limit stopped the run, for an unbroken
        sequence from the first on (0 means no limit; ``nodes`` counts those of finished layouts).
        The rows do not depend on ``threads``. Raises ArgumentError for layouts of another decision,
        RuntimeError while another thread is running.
        """
        cdef _Words words = _Words(hands)
        cdef size_t count = self._count(words), width = self._get().width()
        cdef Limits limits = self._limits(nodes, seconds, PATIENCE)
        cdef Stop why = Stop.none
        cdef const char* refused
        cdef int16_t* rows
        if words.count == 0:
            return b""
        _whole("threads", threads, _MOST_THREADS, 1)
        room = bytearray(sizeof(int16_t) * count * width)
        rows = <int16_t*>PyByteArray_AsString(room)
        self._enter(anew=True)
        try:
            with nogil:
                refused = self.ptr.get().refuses(words.first, count)
                if refused == NULL:
                    why = self.ptr.get().run(words.first, count, threads, limits, rows)
        finally:
            finished = self.ptr.get().finished()
            self._leave(why)
        _refuse(refused)
        return bytes(memoryview(room)[:sizeof(int16_t) * width * finished])

    def playouts(self, hands):
        """Play layouts out by rules of thumb after each of `cards`; return rows as from `values`.

        Everybody follows the rules of thumb of csrc/natural_card_order.hpp. Raises ArgumentError
        for layouts of another decision, or if the position is valued, RuntimeError while another
        thread is running.
        """
        cdef _Words words = _Words(hands)
        cdef size_t count = self._count(words), width = self._get().width()
        cdef const char* refused
        cdef int16_t* rows
        if not self.cards:
            raise ArgumentError("only cards can be played out")
        room = bytearray(sizeof(int16_t) * count * width)
        rows = <int16_t*>PyByteArray_AsString(room)
        self._enter(anew=True)
        try:
            with nogil:
                refused = self.ptr.get().refuses(words.first, count)
                if refused == NULL:
                    self.ptr.get().playouts(words.first, count, rows)
        finally:
            self._leave(Stop.none)
        _refuse(refused)
        return bytes(room)

    cdef size_t _count(self, _Words words) except? 0:
        self._get()
        if words.count % self.players:
            raise ArgumentError(
                f"a layout has {self.players} hands; {words.count} is not a multiple of that")
        return words.count // self.players

    cdef CLayouts* _get(self) except NULL:
        if not self.ptr:
            raise ArgumentError("these layouts have not been initialized")
        return self.ptr.get()
