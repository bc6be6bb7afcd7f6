import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Announcer } from "./announcer.tsx";

interface Props {
  readonly title: string;
  readonly isWide?: boolean;
  /** Whether what was asked for is on its way: it cannot be called back, so that closing would only seem to. */
  readonly isBusy?: boolean;
  /** Absent where there is no way but to answer. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

/** Something to be answered before anything else. The browser keeps the focus in it and gives it back after. */
export function Dialog({ title, isWide, isBusy, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // The browser gives the focus back when a dialog is closed, and not when it is just gone.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? "dialog wide" : "dialog"}
      aria-labelledby={titleId}
      closedby={onClose && !isBusy ? "closerequest" : "none"}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose?.();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
      <Announcer />
    </dialog>
  );
}

type CloseProps = Required<Pick<Props, "isBusy" | "onClose" | "children">>;

/** The way out of a dialog for who presses a button, which is barred as long as the others are. */
export function CloseButton({ isBusy, onClose, children }: CloseProps) {
  return (
    <button type="button" class="button" aria-disabled={isBusy} onClick={() => isBusy || onClose()}>
      {children}
    </button>
  );
}
