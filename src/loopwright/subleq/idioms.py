"""The usual idioms, as macros of the assembler's own language.

Like `subleq a, b`, they name what is read first and what is changed last. `Z` is a cell that is 0
between idioms: each of them may use it, and leaves it 0.
"""

IDIOMS = """
.macro sub a, b         ; b ← b − a
    subleq a, b
.end

.macro zero x           ; x ← 0
    subleq x, x
.end

.macro add a, b         ; b ← b + a, by way of Z = −a
    subleq a, Z
    subleq Z, b
    subleq Z, Z
.end

.macro move a, b        ; b ← a; b is emptied only when Z = −a is safe, so move x, x keeps x
    subleq a, Z
    subleq b, b
    subleq Z, b
    subleq Z, Z
.end

.macro jump to          ; 0 − 0 ≤ 0 always
    subleq Z, Z, to
.end

.macro halt
    subleq Z, Z, halt
.end

.macro jle x, to        ; jump if x ≤ 0
    subleq Z, x, to
.end

.macro jgt x, to        ; jump if x > 0
    subleq Z, x, no
    subleq Z, Z, to
no:
.end

.macro jge x, to        ; jump if x ≥ 0, that is −x ≤ 0
    subleq x, Z, yes
    subleq Z, Z, no
yes:
    subleq Z, Z, to
no:
.end

.macro jlt x, to        ; jump if x < 0
    subleq x, Z, no
    subleq Z, Z, to
no:
    subleq Z, Z
.end

.macro jz x, to         ; jump if x = 0: x ≤ 0 and −x ≤ 0
    subleq Z, x, maybe
    subleq Z, Z, no
maybe:
    jge x, to
no:
.end

.macro jnz x, to        ; jump if x ≠ 0
    jz x, no
    subleq Z, Z, to
no:
.end
"""
