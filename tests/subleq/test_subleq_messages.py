"""Every message of the assembler, word for word: where a text is wrong, and how."""

from __future__ import annotations

import pytest

from loopwright.subleq import assemble, assemble_file
from loopwright.subleq.errors import AssemblyError


def message(text, **given):
    with pytest.raises(AssemblyError) as problem:
        assemble(text, **given)
    return str(problem.value)


BEFORE = ".data x 0\n.data list 1 2\n"
"""Two lines before the lines that are wrong."""
DIRECTIVES = ".data, .space, .const, .macro, .for, .end"
INSIDE = "cannot be inside a '.macro' or '.for'"
INSTRUCTIONS = "subleq, add, halt, jge, jgt, jle, jlt, jnz, jump, jz, move, sub, zero"
WRONG = [
    # characters and words that the language does not have
    ("x ! y", "3:3: '!' has no meaning here."),
    ("sub x, é", "3:8: 'é' has no meaning here."),
    ('sub x, "y"', "3:8: '\"' has no meaning here."),
    ("sub 1/2/3, x", "3:8: '/' has no meaning here."),
    ("sub 1., x", "3:6: '.' has no meaning here."),
    ("sub = 5, x", "3:5: '=' has no meaning here."),
    ("sub x, lis@t", "3:11: '@' has no meaning here."),
    (".", "3:1: '.' has no meaning here."),
    (". data y 1", "3:1: '.' has no meaning here."),
    (".5 x", "3:1: '.' has no meaning here."),
    ("sub x; !\n!", "4:1: '!' has no meaning here."),
    (".word y 0", f"3:1: no directive '.word'; there are: {DIRECTIVES}."),
    (".Data y 1", f"3:1: no directive '.Data'; there are: {DIRECTIVES}."),
    (".datax 1", f"3:1: no directive '.datax'; there are: {DIRECTIVES}."),
    (".data5 1", f"3:1: no directive '.data5'; there are: {DIRECTIVES}."),
    (".fortune", f"3:1: no directive '.fortune'; there are: {DIRECTIVES}."),
    ("a: .word", f"3:4: no directive '.word'; there are: {DIRECTIVES}."),
    ("sub .word, x", f"3:5: no directive '.word'; there are: {DIRECTIVES}."),
    ("\ufeffsub x, x", "3:1: '\ufeff' has no meaning here."),
    # the beginning of a line
    ("3 x", "3:1: expected a label, an instruction or a directive, got '3'."),
    (", x", "3:1: expected a label, an instruction or a directive, got ','."),
    ("a: 3", "3:4: expected a label, an instruction or a directive, got '3'."),
    ("a: : x", "3:4: expected a label, an instruction or a directive, got ':'."),
    ("a: b: zero x", "3:5: expected a number or a name, got ':'."),
    ("[x]", "3:1: expected a label, an instruction or a directive, got '['."),
    ("=5 x", "3:1: expected a label, an instruction or a directive, got '=5'."),
    ("-x", "3:1: expected a label, an instruction or a directive, got '-'."),
    (":", "3:1: expected a label, an instruction or a directive, got ':'."),
    ("a b: zero x", "3:4: expected ',', got ':'."),
    ("Z: zero x", "3:1: 'Z' is the cell that is 0: choose another name."),
    ("A: zero x", "3:1: 'A' is the graph: choose another name."),
    ("M: zero x", "3:1: 'M' is the whole memory: choose another name."),
    ("halt: zero x", "3:1: 'halt' is the jump that halts: choose another name."),
    ("nodes: zero x", "3:1: 'nodes' is the number of nodes: choose another name."),
    ("subleq: zero x", "3:1: 'subleq' is the instruction: choose another name."),
    # operands
    ("sub ]", "3:5: expected a number or a name, got ']'."),
    ("sub x,", "3:7: expected a number or a name, got the end of the line."),
    ("sub x,   ; then", "3:7: expected a number or a name, got the end of the line."),
    ("sub x,, x", "3:7: expected a number or a name, got ','."),
    ("sub , x", "3:5: expected a number or a name, got ','."),
    ("sub x x", "3:7: expected ',', got 'x'."),
    ("sub x 5", "3:7: expected ',', got '5'."),
    ("sub x [", "3:8: expected a number or a name, got the end of the line."),
    ("sub x, x]", "3:9: expected ',', got ']'."),
    ("sub x: x", "3:6: expected ',', got ':'."),
    ("sub x, .data", "3:8: expected a number or a name, got '.data'."),
    ("sub x, .end", "3:8: expected a number or a name, got '.end'."),
    ("sub x =5", "3:7: expected ',', got '=5'."),
    ("sub =5+1, x", "3:7: expected ',', got '+'."),
    ("sub x, =5[0]", "3:10: expected ',', got '['."),
    ("sub x, --1", "3:9: expected a number or a name, got '-'."),
    ("sub x, 1 - -2", "3:12: expected a number or a name, got '-'."),
    ("sub 1+, x", "3:7: expected a number or a name, got ','."),
    ("sub 1 +", "3:8: expected a number or a name, got the end of the line."),
    ("sub x, 5[0]", "3:9: expected ',', got '['."),
    ("sub x, 5 6", "3:10: expected ',', got '6'."),
    ("sub x, list[0][1]", "3:15: expected ',', got '['."),
    ("sub x, list[", "3:13: expected a number or a name, got the end of the line."),
    ("sub x, list[]", "3:13: expected a number or a name, got ']'."),
    ("sub x, list[0", "3:14: expected ']', got the end of the line."),
    ("sub x, list[0 1]", "3:15: expected ']', got '1'."),
    ("sub x, list[0, 1]", "3:14: expected ']', got ','."),
    ("sub x, list[=1]", "3:13: expected a number or a name, got '=1'."),
    ("sub x, list[list[0]]", "3:17: expected ']', got '['."),
    ("sub x, list[0 ; ]", "3:14: expected ']', got the end of the line."),
    ("sub A[0], x", "3:8: expected ',', got ']'."),
    ("sub A[0", "3:8: expected ',', got the end of the line."),
    ("sub A[0, 1, x", "3:11: expected ']', got ','."),
    ("sub A[0, 1", "3:11: expected ']', got the end of the line."),
    ("sub A[0 1], x", "3:9: expected ',', got '1'."),
    ("sub A[, 1], x", "3:7: expected a number or a name, got ','."),
    ("sub A[0, ], x", "3:10: expected a number or a name, got ']'."),
    ("sub A[], x", "3:7: expected a number or a name, got ']'."),
    ("sub A[[0, 1], x", "3:7: expected a number or a name, got '['."),
    # directives
    (".data", "3:6: expected a name, got the end of the line."),
    (".data 5 5", "3:7: expected a name, got '5'."),
    (".data y", "3:8: expected a number or a name, got the end of the line."),
    (".data y ,", "3:9: expected a number or a name, got ','."),
    (".data y 1,", "3:11: expected a number or a name, got the end of the line."),
    (".data y 1,,2", "3:11: expected a number or a name, got ','."),
    (".data y 1 ]", "3:11: expected a number or a name, got ']'."),
    (".data y 1 =5", "3:11: expected a number or a name, got '=5'."),
    (".data y --1", "3:10: expected a number or a name, got '-'."),
    (".data y list[0]", "3:13: expected a number or a name, got '['."),
    (".data A 1", "3:7: 'A' is the graph: choose another name."),
    (".data M 1", "3:7: 'M' is the whole memory: choose another name."),
    (".data halt 1", "3:7: 'halt' is the jump that halts: choose another name."),
    (".data nodes 1", "3:7: 'nodes' is the number of nodes: choose another name."),
    (".data subleq 1", "3:7: 'subleq' is the instruction: choose another name."),
    (".data =5", "3:9: expected a number or a name, got the end of the line."),
    (".data .data 1", "3:7: expected a name, got '.data'."),
    (".data y 1 .end", "3:11: expected a number or a name, got '.end'."),
    (".space", "3:7: expected a name, got the end of the line."),
    (".space 5", "3:8: expected a name, got '5'."),
    (".space y", "3:9: expected a number or a name, got the end of the line."),
    (".space y 1 2", "3:12: expected the end of the line, got '2'."),
    (".space y, 1", "3:9: expected a number or a name, got ','."),
    (".space Z 1", "3:8: 'Z' is the cell that is 0: choose another name."),
    (".space =5 1", "3:8: expected a name, got '=5'."),
    (".space y ]", "3:10: expected a number or a name, got ']'."),
    (".const", "3:7: expected a name, got the end of the line."),
    (".const k", "3:9: expected a number or a name, got the end of the line."),
    (".const k, 1", "3:9: expected a number or a name, got ','."),
    (".const k 1 2", "3:12: expected the end of the line, got '2'."),
    (".const k =1", "3:10: expected a number or a name, got '=1'."),
    (".const nodes 3", "3:8: 'nodes' is the number of nodes: choose another name."),
    (".const Z 0", "3:8: 'Z' is the cell that is 0: choose another name."),
    (".macro", "3:7: expected a name, got the end of the line."),
    (".macro 5\n.end", "3:8: expected a name, got '5'."),
    (".macro m 5\n.end", "3:10: expected a name, got '5'."),
    (".macro m a,\n.end", "3:12: expected a name, got the end of the line."),
    (".macro m a b\n.end", "3:12: expected ',', got 'b'."),
    (".macro m a, a\n.end", "3:13: there is a parameter 'a' already."),
    (".macro m, a\n.end", "3:9: expected a name, got ','."),
    (".macro m A\n.end", "3:10: 'A' is the graph: choose another name."),
    (".macro m a, Z\n.end", "3:13: 'Z' is the cell that is 0: choose another name."),
    (".macro m: a\n.end", "3:9: expected a name, got ':'."),
    (".for\n.end", "3:5: expected a name, got the end of the line."),
    (".for 5, 0, 1\n.end", "3:6: expected a name, got '5'."),
    (".for i\n.end", "3:7: expected ',', got the end of the line."),
    (".for i 0, 2\n.end", "3:8: expected ',', got '0'."),
    (".for i,\n.end", "3:8: expected a number or a name, got the end of the line."),
    (".for i, 0\n.end", "3:10: expected ',', got the end of the line."),
    (".for i, 0 2\n.end", "3:11: expected ',', got '2'."),
    (".for i, 0,\n.end", "3:11: expected a number or a name, got the end of the line."),
    (".for i, 0, 2, 3\n.end", "3:13: expected the end of the line, got ','."),
    (".for i, 0, 2 x\n.end", "3:14: expected the end of the line, got 'x'."),
    (".for halt, 0, 1\n.end", "3:6: 'halt' is the jump that halts: choose another name."),
    (".for i, =0, 1\n.end", "3:9: expected a number or a name, got '=0'."),
    (".end", "3:1: '.end' without a '.macro' or '.for' before it."),
    ("a: .end", "3:4: '.end' without a '.macro' or '.for' before it."),
    (".for i, 0, 2\n.end\n.end", "5:1: '.end' without a '.macro' or '.for' before it."),
    (".for i, 0, 2\n.end x", "4:6: expected the end of the line, got 'x'."),
    (".for i, 0, 2", "3:1: '.for' has no '.end'."),
    (".macro m", "3:1: '.macro' has no '.end'."),
    (
        ".for i, 0, 2\n.macro m\n.end",
        f"4:1: '.macro' {INSIDE}; '.for' at <text>:3:1 has no '.end' yet.",
    ),
    (".macro m\n.for i, 0, 2\n", "4:1: '.for' has no '.end'."),
    ("a: .macro m", "3:4: '.macro' has no '.end'."),
    # declarations
    (".data x 1", "3:7: 'x' is already defined at <text>:1:7."),
    ("x: zero x", "3:1: 'x' is already defined at <text>:1:7."),
    ("l:\nl: zero x", "4:1: 'l' is already defined at <text>:3:1."),
    (".const x 1", "3:8: 'x' is already defined at <text>:1:7."),
    (".space list 1", "3:8: 'list' is already defined at <text>:2:7."),
    (".macro x\n.end", "3:8: 'x' is already defined at <text>:1:7."),
    (".macro m\n.end\n.macro m\n.end", "5:8: 'm' is already defined at <text>:3:8."),
    (".data =5 5\n.data =5 5", "4:7: '=5' is already defined at <text>:3:7."),
    (".data y 1/0", "3:9: '1/0' divides by zero."),
    (".data y 0.5/0", "3:9: '0.5/0' divides by zero."),
    (".const k 3/0.0", "3:13: '.' has no meaning here."),
    (".data y x", "3:9: expected a number, got 'x'; a '.const' above could name one."),
    (".data y nodes2", "3:9: expected a number, got 'nodes2'; a '.const' above could name one."),
    (
        ".data y later\n.const later 1",
        "3:9: expected a number, got 'later'; a '.const' above could name one.",
    ),
    (".data Z 1", "3:7: 'Z' is the cell that is 0: choose another name."),
    (".data Z 0 0", "3:7: 'Z' is the cell that is 0: choose another name."),
    (".data =5 6", "3:7: the constant '=5' must hold 5."),
    (".data =-1/2 1", "3:7: the constant '=-1/2' must hold -1/2."),
    (".data =5 5 5", "3:7: the constant '=5' must hold 5."),
    (".space y 1048575", "3:10: the program has more than 1,048,576 cells."),
    (".space y 0", "3:10: expected at least 1 cell, got 0."),
    (".space y -3", "3:11: expected at least 1 cell, got -3."),
    (".space y 1/2", "3:10: expected a whole number, got 1/2."),
    (".space y x", "3:10: expected a number, got 'x'; a '.const' above could name one."),
    (".const k x", "3:10: expected a number, got 'x'; a '.const' above could name one."),
    (".const k list", "3:10: expected a number, got 'list'; a '.const' above could name one."),
    (".macro add a, b\n.end", "3:8: 'add' means something already: choose another name."),
    (".macro subleq a\n.end", "3:8: 'subleq' means something already: choose another name."),
    (".macro halt\n.end", "3:8: 'halt' means something already: choose another name."),
    (".macro A\n.end", "3:8: 'A' means something already: choose another name."),
    (".macro Z\n.end", "3:8: 'Z' means something already: choose another name."),
    (
        ".macro m\n.data y 1\n.end",
        f"4:1: '.data' {INSIDE}; '.macro' at <text>:3:1 has no '.end' yet.",
    ),
    (
        ".macro m\n.space y 1\n.end",
        f"4:1: '.space' {INSIDE}; '.macro' at <text>:3:1 has no '.end' yet.",
    ),
    (
        ".macro m\n.const y 1\n.end",
        f"4:1: '.const' {INSIDE}; '.macro' at <text>:3:1 has no '.end' yet.",
    ),
    (
        ".macro m\n.macro n\n.end\n.end",
        f"4:1: '.macro' {INSIDE}; '.macro' at <text>:3:1 has no '.end' yet.",
    ),
    (
        "a: .for i, 0, 2\nb: .data y 1\n.end",
        f"4:4: '.data' {INSIDE}; '.for' at <text>:3:4 has no '.end' yet.",
    ),
    # uses
    ("sub x", "3:1: expected 'sub a, b', got 1 operands."),
    ("sub", "3:1: expected 'sub a, b', got 0 operands."),
    ("subleq x", "3:1: expected 'subleq a, b[, c]', got 1 operands."),
    ("subleq x, x, x, x", "3:1: expected 'subleq a, b[, c]', got 4 operands."),
    ("zero x, x", "3:1: expected 'zero x', got 2 operands."),
    ("halt x", "3:1: expected 'halt', got 1 operands."),
    ("jz x", "3:1: expected 'jz x, to', got 1 operands."),
    ("  subb x, x", f"3:3: no instruction or macro 'subb'; there are: {INSTRUCTIONS}."),
    ("A x", f"3:1: no instruction or macro 'A'; there are: {INSTRUCTIONS}."),
    ("Z", f"3:1: no instruction or macro 'Z'; there are: {INSTRUCTIONS}."),
    ("nodes", f"3:1: no instruction or macro 'nodes'; there are: {INSTRUCTIONS}."),
    ("SUB x, x", f"3:1: no instruction or macro 'SUB'; there are: {INSTRUCTIONS}."),
    (
        ".macro m\nm\n.end\nm",
        "4:1: macro 'm' uses itself, so it would never end. (in 'm', used at <text>:6:1)",
    ),
    (
        ".macro m\nn\n.end\n.macro n\nm\n.end\nm",
        "7:1: macro 'm' uses itself, so it would never end."
        " (in 'n', used at <text>:4:1) (in 'm', used at <text>:9:1)",
    ),
    (
        ".macro m\nl:\nl:\n.end\nm",
        "5:1: label 'l' is already defined. (in 'm', used at <text>:7:1)",
    ),
    (".for i, 0, 1\nl:\nl:\n.end", "5:1: label 'l' is already defined."),
    (".for i, 0, x\n.end", "3:12: expected a number, got 'x'; a '.const' above could name one."),
    (".for i, 1/2, 1\n.end", "3:9: expected a whole number, got 1/2."),
    (".for i, 0, 0.5\n.end", "3:12: expected a whole number, got 1/2."),
    (".for i, 0, i\n.end", "3:12: expected a number, got 'i'; a '.const' above could name one."),
    # cells
    (
        "sub x, y",
        "3:8: there is no 'y' in memory; there are: x, list. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, lost",
        "3:8: there is no 'lost' in memory; did you mean 'list'? (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub y, x",
        "3:5: there is no 'y' in memory; there are: x, list. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, list",
        "3:8: 'list' has 2 cells: say which, as list[0]. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub list, x",
        "3:5: 'list' has 2 cells: say which, as list[0]. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, list[2]",
        "3:8: there is no list[2]; list has 2 cells. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, list[-1]",
        "3:8: there is no list[-1]; list has 2 cells. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, none[0]",
        "3:8: there is no 'none' in memory; there are: x, list. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, lits[0]",
        "3:8: there is no 'lits' in memory; did you mean 'list'? (in 'sub', used at <text>:3:1)",
    ),
    ("sub x, M[3]", "3:8: there is no M[3]; M has 3 cells. (in 'sub', used at <text>:3:1)"),
    ("sub x, M[-1]", "3:8: there is no M[-1]; M has 3 cells. (in 'sub', used at <text>:3:1)"),
    ("sub x, x[1]", "3:8: there is no x[1]; x has 1 cells. (in 'sub', used at <text>:3:1)"),
    (
        "sub x, Z[0]",
        "3:8: there is no 'Z' in memory; there are: x, list. (in 'sub', used at <text>:3:1)",
    ),
    (
        "a: sub x, a[0]",
        "3:11: there is no 'a' in memory; there are: x, list. (in 'sub', used at <text>:3:4)",
    ),
    ("sub x, list[x]", "3:13: expected a number, got 'x'; a '.const' above could name one."),
    ("sub x, list[y]", "3:13: expected a number, got 'y'; a '.const' above could name one."),
    ("sub x, list[1/2]", "3:13: expected a whole number, got 1/2."),
    ("sub x, list[1/0]", "3:13: '1/0' divides by zero."),
    ("sub x, list[-1/0]", "3:14: '1/0' divides by zero."),
    ("sub 1/0, x", "3:5: '1/0' divides by zero."),
    ("sub =1/0, x", "3:5: '=1/0' divides by zero."),
    ("sub x+1, x", "3:5: expected a number, got 'x'; a '.const' above could name one."),
    ("sub list+1, x", "3:5: expected a number, got 'list'; a '.const' above could name one."),
    (
        "sub x, 5",
        "3:8: expected a cell of memory to write, got the number 5. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, =5",
        "3:8: expected a cell of memory to write, got the number 5. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, -1/2",
        "3:9: expected a cell of memory to write, got the number -1/2."
        " (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, 2+3",
        "3:8: expected a cell of memory to write, got the number 5. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, A[0, 1]",
        "3:8: A[0, 1] is read-only: expected a cell of memory. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub A[0, 2], x",
        "3:5: there is no A[0, 2]; the graph has 2 nodes. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub A[2, 0], x",
        "3:5: there is no A[2, 0]; the graph has 2 nodes. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub A[0, -1], x",
        "3:5: there is no A[0, -1]; nodes count from 0. (in 'sub', used at <text>:3:1)",
    ),
    ("sub A[1/2, 0], x", "3:7: expected a whole number, got 1/2."),
    ("sub A[x, 0], x", "3:7: expected a number, got 'x'; a '.const' above could name one."),
    (
        "sub x, halt",
        "3:8: expected a cell of memory, got 'halt', the jump that halts."
        " (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub halt, x",
        "3:5: expected a cell of memory, got 'halt', the jump that halts."
        " (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, A",
        "3:8: expected a cell of memory, got 'A', the graph. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, M",
        "3:8: expected a cell of memory, got 'M', the whole memory. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, nodes",
        "3:8: expected a cell of memory to write, got the number 2. (in 'sub', used at <text>:3:1)",
    ),
    (
        "sub x, subleq",
        "3:8: expected a cell of memory, got 'subleq', the instruction."
        " (in 'sub', used at <text>:3:1)",
    ),
    (
        "a: sub a, x",
        "3:8: expected a cell of memory, got the label 'a'. (in 'sub', used at <text>:3:4)",
    ),
    (
        "a: sub x, a",
        "3:11: expected a cell of memory, got the label 'a'. (in 'sub', used at <text>:3:4)",
    ),
    (
        ".for i, 0, 1\nl: sub x, l\n.end",
        "4:11: expected a cell of memory, got the label 'l'. (in 'sub', used at <text>:4:4)",
    ),
    (
        ".for i, 0, 1\nsub x, i\n.end",
        "4:8: expected a cell of memory to write, got the number 0. (in 'sub', used at <text>:4:1)",
    ),
    (".for i, 0, 1\nsub i[0], x\n.end", "4:5: expected the name of an array, got 'i'."),
    (
        ".const k 1\nsub x, k",
        "4:8: expected a cell of memory to write, got the number 1. (in 'sub', used at <text>:4:1)",
    ),
    (".const k 1\nsub x, k[0]", "4:8: expected the name of an array, got 'k'."),
    (
        ".macro m a\nsub a[0], x\n.end\nm 5",
        "4:5: expected the name of an array, got 'a'. (in 'm', used at <text>:6:1)",
    ),
    (
        ".macro m a\nsub a[0], x\n.end\nm list[0]",
        "4:5: expected the name of an array, got 'a'. (in 'm', used at <text>:6:1)",
    ),
    (
        ".macro m a\nsub list[a], x\n.end\nm x",
        "4:10: expected a number, got 'a'; a '.const' above could name one."
        " (in 'm', used at <text>:6:1)",
    ),
    (
        ".macro m a\nsub list[a], x\n.end\nm 3",
        "4:5: there is no list[3]; list has 2 cells."
        " (in 'sub', used at <text>:4:1) (in 'm', used at <text>:6:1)",
    ),
    (
        ".macro m a\nsub a, y\n.end\nm x",
        "4:8: there is no 'y' in memory; there are: x, list."
        " (in 'sub', used at <text>:4:1) (in 'm', used at <text>:6:1)",
    ),
    (
        ".macro m\nl: sub l[0], x\n.end\nm",
        "4:8: expected the name of an array, got 'l'. (in 'm', used at <text>:6:1)",
    ),
    # jumps
    ("jump x", "3:6: expected a label, got the cell 'x'. (in 'jump', used at <text>:3:1)"),
    ("jump list", "3:6: expected a label, got the cell 'list'. (in 'jump', used at <text>:3:1)"),
    (
        "jump nowhere",
        "3:6: there is no 'nowhere' to jump to; there are: halt. (in 'jump', used at <text>:3:1)",
    ),
    (
        "again: jump agian",
        "3:13: there is no 'agian' to jump to; did you mean 'again'?"
        " (in 'jump', used at <text>:3:8)",
    ),
    ("jump 9", "3:6: there is no instruction 9; the last is 0. (in 'jump', used at <text>:3:1)"),
    ("jump -2", "3:7: there is no instruction -2; the last is 0. (in 'jump', used at <text>:3:1)"),
    ("jump 1/2", "3:6: expected a label, got 1/2. (in 'jump', used at <text>:3:1)"),
    ("jump A[0, 0]", "3:6: expected a label, got A[0, 0]. (in 'jump', used at <text>:3:1)"),
    (
        "jump list[0]",
        "3:6: expected a label, got list[0]. (in 'jump', used at <text>:3:1)",
    ),
    ("jump =1", "3:6: there is no instruction 1; the last is 0. (in 'jump', used at <text>:3:1)"),
    ("jump Z", "3:6: expected a label, got the cell 'Z'. (in 'jump', used at <text>:3:1)"),
    (
        "jump nodes",
        "3:6: there is no instruction 2; the last is 0. (in 'jump', used at <text>:3:1)",
    ),
    (
        "jump subleq",
        "3:6: there is no 'subleq' to jump to; there are: halt. (in 'jump', used at <text>:3:1)",
    ),
    ("jump A", "3:6: there is no 'A' to jump to; there are: halt. (in 'jump', used at <text>:3:1)"),
    (
        "jump M[0]",
        "3:6: expected a label, got M[0]. (in 'jump', used at <text>:3:1)",
    ),
    ("subleq x, x, 7", "3:14: there is no instruction 7; the last is 0."),
    (
        ".macro m\nhere: sub 1, x\n.end\nm\njump here",
        "7:6: there is no 'here' to jump to; there are: halt. (in 'jump', used at <text>:7:1)",
    ),
    (
        ".for i, 0, 1\nhere: jump i\n.end\njump here",
        "6:6: there is no 'here' to jump to; there are: halt. (in 'jump', used at <text>:6:1)",
    ),
    (
        "jz y, out",
        "3:4: there is no 'y' in memory; there are: x, list, Z. (in 'jz', used at <text>:3:1)",
    ),
]


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_a_wrong_line(text, expected):
    assert message(f"{BEFORE}{text}\n", nodes=2).removeprefix("<text>:") == expected


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_newlines_and_the_file_change_nothing(text, expected):
    """A text may end without a newline, or have those of Windows; a file may have any name."""
    program = f"{BEFORE}{text}"
    assert message(program, nodes=2).removeprefix("<text>:") == expected
    program = program.replace("\n", "\r\n")
    found = message(program, nodes=2, file="a b.sq")
    assert found.removeprefix("a b.sq:") == expected.replace("<text>", "a b.sq")


def test_an_error_in_a_macro_says_how_it_got_there():
    text = (
        ".data x 0\n.macro inner to\n    sub 1, to\n.end\n.macro outer\n    inner 3\n.end\nouter\n"
    )
    assert message(text, file="p.sq") == (
        "p.sq:6:11: expected a cell of memory to write, got the number 3."
        " (in 'sub', used at p.sq:3:5) (in 'inner', used at p.sq:6:5)"
        " (in 'outer', used at p.sq:8:1)"
    )


def test_an_error_in_an_idiom_names_the_file_of_idioms():
    assert message("jnz 5, halt") == (
        "<text>:1:5: expected a cell of memory to write, got the number 5."
        " (in 'jz', used at idioms.sq:67:5) (in 'jnz', used at <text>:1:1)"
    )


@pytest.mark.parametrize(
    ("text", "line"), [("", 1), ("; nothing\n", 2), (".data x 1\n\n", 3), ("end:", 1)]
)
def test_a_program_without_instructions(text, line):
    expected = f"<text>:{line}:1: expected an instruction, got the end of the program."
    assert message(text) == expected


def test_nodes_need_a_graph():
    hint = "'nodes' is the number of nodes: give a graph."
    assert message(".for i, 0, nodes\n.end") == (
        f"<text>:1:12: expected a number, got 'nodes'; {hint}"
    )
    assert message(".data x nodes\nzero x") == f"<text>:1:9: expected a number, got 'nodes'; {hint}"
    assert message(".data x 0\nsub nodes, x") == (
        "<text>:2:5: expected a cell of memory, got 'nodes', the number of nodes."
        " (in 'sub', used at <text>:2:1)"
    )


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"lsit": [1]}, "there is no 'lsit' to set; did you mean 'list'?"),
        ({"size": [1]}, "there is no 'size' to set; there are: x, list, k."),
        ({"Z": [1]}, "there is no 'Z' to set; there are: x, list, k."),
        ({"list": [1]}, "<text>:2:7: 'list' has 2 cells, but 1 were set."),
        ({"k": [1, 2]}, "<text>:3:8: 'k' has 1 cells, but 2 were set."),
    ],
)
def test_settings_that_do_not_fit(settings, expected):
    assert message(f"{BEFORE}.const k 1\nzero x", settings=settings) == expected


def test_nothing_to_set():
    assert message("halt", settings={"x": [1]}) == "there is no 'x' to set; there are: none."


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(AssemblyError, match=r"none\.sq: No such file or directory\.$"):
        assemble_file(tmp_path / "none.sq")
    (tmp_path / "binary.sq").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(AssemblyError, match=r"binary\.sq: not a text file \(expected UTF-8\)\.$"):
        assemble_file(tmp_path / "binary.sq")
