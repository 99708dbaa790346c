/** What is wrong with a page for somebody who sees it small, in few colours, without motion, or not at all. */
import type { Page } from "playwright-core";

declare global {
  /** Tools of these tests in the page. */
  interface Window {
    /** All elements that are shown, through every shadow root. */
    listShown(): Element[];
  }
}

/** Puts the tools into every document the page opens. */
export async function bringTools(page: Page): Promise<void> {
  const bring = () => {
    window.listShown = () => {
      const found: Element[] = [];
      const visit = (root: Document | ShadowRoot | Element) => {
        for (const element of root.children) {
          if (!element.checkVisibility({ visibilityProperty: true })) continue;
          found.push(element);
          if (element.shadowRoot !== null) visit(element.shadowRoot);
          visit(element);
        }
      };
      visit(document);
      return found;
    };
  };
  await page.addInitScript(bring);
  await page.evaluate(bring);
}

/** What is wider than its place, apart from the drawing of a machine, which is a sheet to be moved. */
export function listTooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const scrolled = window.listShown().filter((element) => {
      const { overflowX } = getComputedStyle(element);
      const isScrolled = overflowX === "auto" || overflowX === "scroll";
      return isScrolled && element.scrollWidth > element.clientWidth && !element.matches(".sheet");
    });
    const wide = scrolled.map(
      (element) => `${element.localName}.${element.className} is ${element.scrollWidth} wide in ${element.clientWidth}`,
    );
    return scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`, ...wide] : wide;
  });
}

/** Where colours are forced: controls without a border, what is chosen or stands somehow by colour alone, a focus unseen. */
export function listColourless(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const canvas = document.body.appendChild(document.createElement("i"));
    canvas.style.backgroundColor = "Canvas";
    const plain = getComputedStyle(canvas).backgroundColor;
    canvas.remove();
    const isClear = (color: string) => /^rgba\(.*, 0\)$/.test(color);
    const isDrawn = (width: string, line: string, color: string) =>
      Number.parseFloat(width) > 0 && line !== "none" && !isClear(color);
    const controls =
      "button, select, a.button, label.button, input:not([type=checkbox], [type=radio], [type=range], [type=file])";
    const chosen = "a[aria-current=page], button:is([aria-current=true], [aria-pressed=true], [aria-selected=true])";
    const states = ".badge:is(.good, .bad, .ask), footer .state, .refused, .problem, .refusal";
    const judges: readonly (readonly [string, (element: HTMLElement, style: CSSStyleDeclaration) => boolean])[] = [
      [
        "has no border",
        (element, style) =>
          element.matches(controls) &&
          !element.matches(chosen) &&
          !isDrawn(style.borderBottomWidth, style.borderBottomStyle, style.borderBottomColor) &&
          style.textDecorationLine !== "underline",
      ],
      [
        "is chosen by colour alone",
        (element, { backgroundColor }) =>
          element.matches(chosen) && (backgroundColor === plain || isClear(backgroundColor)),
      ],
      [
        "stands by colour alone",
        (element) =>
          element.matches(states) && (element.querySelector("svg") === null || element.textContent.trim() === ""),
      ],
      [
        "has a focus nobody sees",
        (element, style) => {
          if (element.tabIndex !== 0 || element.shadowRoot !== null) return false;
          element.focus({ preventScroll: true, focusVisible: true } as FocusOptions);
          return (
            element.matches(":focus-visible") && !isDrawn(style.outlineWidth, style.outlineStyle, style.outlineColor)
          );
        },
      ],
    ];
    return window.listShown().flatMap((element) => {
      if (!(element instanceof HTMLElement)) return [];
      const faults = judges.filter(([, isFaulty]) => isFaulty(element, getComputedStyle(element)));
      return faults.map(
        ([fault]) => `${element.localName}.${element.className} "${element.textContent.trim()}" ${fault}`,
      );
    });
  });
}

/** What moves. */
export function listMoving(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const roots = [document, ...window.listShown().flatMap(({ shadowRoot }) => shadowRoot ?? [])];
    const running = roots.flatMap((root) => root.getAnimations()).filter(({ playState }) => playState === "running");
    const names = running.map((animation) =>
      animation instanceof CSSAnimation ? animation.animationName : "transition",
    );
    return [...names, ...window.listShown().flatMap((element) => (element.localName === "animate" ? "animate" : []))];
  });
}
