/** Messages between parent and child over the pipe: headers of frames (frames.ts), both directions. */

/** To the child. */
export type ParentMessage =
  /** Deliver one outcome (the frame's body is the delivery's); answered with `delivered`. */
  | { readonly t: "deliver"; readonly id: number; readonly sliceMs: number; readonly header: string }
  /** The answer to the `ask` that waits: one line of JSON, and the frame's body after it where `body` says in which encoding. */
  | { readonly t: "answer"; readonly line: string; readonly body?: "latin1" | "utf8" };

/** From the child. */
export type ChildMessage =
  /** Isolate and guest are ready; what the child found of its own isolation. */
  | { readonly t: "ready"; readonly webAssembly: boolean; readonly permission: boolean; readonly isolatedVm: string }
  /** The guest sent an `OutOp` (JSON text); the frame's body is its body. */
  | { readonly t: "out"; readonly header: string }
  /** The guest waits for a `ParentOp` (JSON text). */
  | { readonly t: "ask"; readonly header: string }
  /** A delivery has ended, microtasks drained. */
  | { readonly t: "delivered"; readonly error?: DeliveryError };

/** Why a delivery did not end quietly. */
export interface DeliveryError {
  /** `rejection`: a floating rejection; the delivery itself ran to its end. The others end the run. */
  readonly kind: "timeout" | "memory" | "rejection";
  readonly message: string;
}
