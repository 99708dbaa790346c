/** What the parts of an app's page are rendered from. */
import type { AppDetail } from "../../api/types.ts";
import type { SlipElement } from "../../ui/element.ts";
import type { Words } from "../../ui/words.ts";
import type { Presses } from "../actions/presses.ts";

export interface PageParts {
  readonly app: AppDetail;
  readonly words: Words;
  /** The page itself, which tells what was chosen. */
  readonly element: SlipElement;
  readonly presses: Presses;
}
