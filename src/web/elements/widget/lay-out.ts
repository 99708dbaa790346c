/** What a tile of one size shows of a widget's result, and where. Pure. */
import type { Widget, WidgetField, WidgetSize } from "../../api/types.ts";

/** A picture and where it stands: a small tile has it at the top or bottom, a large one at the left, right or both. */
export interface Media {
  readonly placement: "top" | "bottom" | "left" | "right" | "both";
  readonly image: string;
  readonly alt: string;
}

export interface TileLayout {
  /** The size that is shown: the wanted one, or the one the widget declares. */
  readonly size: WidgetSize;
  /** In the order of the slots; of a field that is missing, or of another type than its slot, the place is left out. */
  readonly fields: readonly WidgetField[];
  readonly media: Media | undefined;
}

/** Lays a result out; a widget that declares no sizes shows all fields there are. */
export function layOut({ fields = {}, sizes }: Pick<Widget, "fields" | "sizes">, wanted: WidgetSize): TileLayout {
  const find = (name: string): WidgetField | undefined => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  if (sizes === undefined) return { size: wanted, fields: Object.values(fields), media: undefined };
  const size = sizes[wanted] === undefined ? (sizes.small === undefined ? "large" : "small") : wanted;
  const { slots = [], media } = sizes[size] ?? {};
  const shown = slots.flatMap(({ type, field }) => {
    const found = find(field);
    return found?.type === type ? [found] : [];
  });
  return { size, fields: shown, media: media && place(media.placement, find(media.field)) };
}

/** Whether an address is a picture that asks nobody: the engine lets `data:` of any kind pass. */
export function isOwnPicture(address: string): boolean {
  return /^data:image\//i.test(address);
}

/** How far something has come, `1:02:03` or `2:31`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const minutes = h > 0 ? `${h}:${String(m).padStart(2, "0")}` : String(m);
  return `${minutes}:${String(s).padStart(2, "0")}`;
}

function place(placement: Media["placement"], field: WidgetField | undefined): Media | undefined {
  if (field?.type !== "image" || !isOwnPicture(field.image)) return undefined;
  return { placement, image: field.image, alt: field.alt ?? "" };
}
