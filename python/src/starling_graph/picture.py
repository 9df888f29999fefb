"""A small picture of a small graph, as SVG that needs nothing else."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import numpy as np

SIZE = 320
MARGIN = 24
ROUNDS = 80


def picture(nodes: Sequence[Any], edges: Sequence[tuple[Any, Any]], marked: Any = None) -> str:
    """Draws vertices that push one another away along edges that hold them together."""
    index = {node: i for i, node in enumerate(nodes)}
    pairs = np.array([(index[a], index[b]) for a, b in edges], dtype=int).reshape(-1, 2)
    at = _placed(len(nodes), pairs)
    degrees = np.bincount(pairs.ravel(), minlength=len(nodes)) if len(nodes) else np.empty(0, int)
    lines = "".join(f'<line x1="{at[a][0]:.1f}" y1="{at[a][1]:.1f}" x2="{at[b][0]:.1f}" y2="{at[b][1]:.1f}"/>' for a, b in pairs)
    dots = "".join(_dot(node, at[i], int(degrees[i]), node == marked, len(nodes)) for i, node in enumerate(nodes))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}" role="img" '
        f'aria-label="{len(nodes)} vertices, {len(edges)} edges"><g stroke="#8a94a6" stroke-opacity="0.6">{lines}</g>{dots}</svg>'
    )


def _dot(node: Any, at: np.ndarray, degree: int, marked: bool, count: int) -> str:
    name = html.escape(str(node))
    radius = 4 + min(6, degree**0.5)
    text = (
        f'<text x="{at[0]:.1f}" y="{at[1] - radius - 2:.1f}" font-size="10" text-anchor="middle" fill="currentColor">{name}</text>'
        if count <= 40
        else ""
    )
    colour = "#d1495b" if marked else "#2e6f95"
    circle = f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:.1f}" fill="{colour}"/>'
    return f"<g><title>{name}: {degree} edges here</title>{circle}{text}</g>"


def _placed(count: int, pairs: np.ndarray) -> np.ndarray:
    """Springs and charges, always from the same circle."""
    if count == 0:
        return np.empty((0, 2))
    angle = 2 * np.pi * np.arange(count) / count
    at = np.column_stack([np.cos(angle), np.sin(angle)])
    length = 1.2 / count**0.5
    for round_ in range(ROUNDS if count > 1 else 0):
        apart = at[:, None] - at[None]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 1e-3)
        push = (apart * (length**2 / distance**2)[:, :, None]).sum(axis=1)
        if len(pairs):
            along = at[pairs[:, 0]] - at[pairs[:, 1]]
            pull = along * (np.linalg.norm(along, axis=1) / length)[:, None]
            np.add.at(push, pairs[:, 0], -pull)
            np.add.at(push, pairs[:, 1], pull)
        step = np.linalg.norm(push, axis=1, keepdims=True)
        at = at + push / np.maximum(step, 1e-9) * np.minimum(step, 0.2 * (1 - round_ / ROUNDS))
    low, high = at.min(axis=0), at.max(axis=0)
    placed: np.ndarray = MARGIN + (at - low) / np.maximum(high - low, 1e-9) * (SIZE - 2 * MARGIN)
    return placed
