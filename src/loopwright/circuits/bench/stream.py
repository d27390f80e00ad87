"""Where the residual stream holds variables: read off axes, by probes, by a sparse dictionary.

axes        the best single column: the share of a variable's variance that it explains
probe       a linear probe, fitted on half of the graphs and tried on the others
dictionary  a sparse dictionary that knows nothing of the program: how near its atoms come to
            the true directions, as a cosine [Olshausen and Field 1997]
"""

# torch has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import numpy as np
import torch

from loopwright.circuits.bench.tasks import Task
from loopwright.model.layout import Kind, Scope
from loopwright.model.weights import Matrix
from loopwright.runtime.basis import Turned
from loopwright.runtime.encode import Array
from loopwright.runtime.machines.reference import loop

ATOMS_PER_COLUMN = 2
DICTIONARY_STEPS = 400
SPARSITY = 0.05


def stream_scores(task: Task, seed: int) -> dict[str, float]:
    """The mean over all variables of nodes that change."""
    x, truth = states(task)
    half = len(x) // 2
    names = [name for name, column in truth.items() if column[:half].std() and column[half:].std()]
    columns = range(x.shape[1])
    axes = [max(explained(x[:, [c]], truth[name], half) for c in columns) for name in names]
    probes = [explained(x, truth[name], half) for name in names]
    atoms = dictionary(x, seed)
    directions = [task.disguised.directions[name][0] for name in names]
    none = chance(atoms, seed)
    return {
        "variables": float(len(names)),
        "axes": float(np.mean(axes)),
        "probe": float(np.mean(probes)),
        "dictionary": float(np.mean([nearest(atoms, each) for each in directions])),
        "chance": float(np.mean([nearest(none, each) for each in directions])),
    }


def states(task: Task) -> tuple[Matrix, dict[str, Matrix]]:
    """Rows of nodes of X after every iteration, as the machine has them; and the variables."""
    model, seen = task.model, list[Array]()
    last, turned = len(model.layers) - 1, Turned(model.basis)

    def look(iteration: int, layer: int, x: Array) -> None:
        if layer == last:
            seen.append(x[1:].copy())

    for example in task.examples:
        problem = turned.problem(example.problems[0])
        loop(model, problem, (model.max_iterations(problem.rows - 1) or 0) + 1, look)
    x = np.concatenate(seen)
    plain = turned.back(x)
    fields = [
        field
        for field in model.layout.after(last)
        if field.scope is Scope.NODES and field.kind is not Kind.POSITION
    ]
    return x, {field.name: plain[:, field.first] for field in fields}


def explained(x: Matrix, y: Matrix, half: int) -> float:
    """R² on the second half of a least-squares fit to the first, not below 0."""
    design = np.column_stack([x, np.ones(len(x))])
    weights, *_ = np.linalg.lstsq(design[:half], y[:half], rcond=None)
    rest = y[half:] - design[half:] @ weights
    return max(0.0, 1 - float(rest.var() / y[half:].var()))


def dictionary(x: Matrix, seed: int) -> Matrix:
    """Atoms of length 1 whose sparse sums the rows of X are, by gradient descent."""
    torch.manual_seed(seed)
    scale = np.abs(x).max(axis=0)
    data = torch.as_tensor(x / max(float(scale.max()), 1e-9))
    count = ATOMS_PER_COLUMN * x.shape[1]
    atoms = torch.nn.Parameter(torch.randn(count, x.shape[1], dtype=torch.float64))
    encoder = torch.nn.Parameter(torch.randn(x.shape[1], count, dtype=torch.float64) / 4)
    bias = torch.nn.Parameter(torch.zeros(count, dtype=torch.float64))
    descent = torch.optim.Adam([atoms, encoder, bias], lr=0.01)
    for _ in range(DICTIONARY_STEPS):
        descent.zero_grad()
        unit = atoms / atoms.norm(dim=1, keepdim=True)
        code = torch.relu(data @ encoder + bias)
        loss = ((code @ unit - data) ** 2).sum(1).mean() + SPARSITY * code.abs().sum(1).mean()
        loss.backward()
        descent.step()
    return (atoms / atoms.norm(dim=1, keepdim=True)).detach().numpy()


def chance(atoms: Matrix, seed: int) -> Matrix:
    """As many random directions."""
    made = np.random.default_rng(seed).normal(size=atoms.shape)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def nearest(atoms: Matrix, direction: Matrix) -> float:
    """The cosine of the angle to the nearest atom."""
    return float(np.abs(atoms @ direction).max() / np.linalg.norm(direction))
