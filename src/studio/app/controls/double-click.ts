/**
 * Ignores the second click of a double click where the first has brought something else under the pointer: nobody meant
 * to press that.
 */
export function ignoreStrayClicks(): void {
  let first: Element | null = null;
  const look = (event: MouseEvent) => {
    const pressed = event.target instanceof Element ? event.target.closest("button, a") : null;
    // Whoever goes on clicking, as to remove one link after the other, means it.
    if (event.detail < 2) first = pressed;
    else if (event.detail === 2 && pressed && pressed !== first) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  addEventListener("click", look, { capture: true });
}
