/** Dragging by a pointer: nothing moves in the document before it is let go. */

/**
 * Follows a pointer that went down on a handle. `over` is told the element of `among` that is below it, each time it is
 * another one; `end` whether it was let go (else Escape or the system took it away).
 */
export function followDrag(
  start: PointerEvent,
  among: () => readonly Element[],
  over: (element: Element | undefined) => void,
  end: (isDropped: boolean) => void,
): void {
  const handle = start.currentTarget;
  if (start.button !== 0 || !(handle instanceof HTMLElement)) return;
  const drag = new AbortController();
  const { signal } = drag;
  handle.setPointerCapture(start.pointerId);
  let last: Element | undefined;
  const stop = (isDropped: boolean) => {
    drag.abort();
    end(isDropped);
  };
  handle.addEventListener(
    "pointermove",
    ({ clientX, clientY }) => {
      const found = among().find((element) => contains(element.getBoundingClientRect(), clientX, clientY));
      if (found === last) return;
      last = found;
      over(found);
    },
    { signal },
  );
  handle.addEventListener("pointerup", () => stop(true), { signal });
  handle.addEventListener("pointercancel", () => stop(false), { signal });
  addEventListener("keydown", ({ key }) => key === "Escape" && stop(false), { signal });
}

function contains({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean {
  return x >= left && x < right && y >= top && y < bottom;
}
