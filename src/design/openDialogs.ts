import { atom, type ReadableAtom } from 'nanostores'

const $dialogs = atom<readonly HTMLDialogElement[]>([])

/** The open modal dialogs of the page, the topmost last. Everything outside the topmost one is inert. */
export const $openDialogs: ReadableAtom<readonly HTMLDialogElement[]> = $dialogs

/** Opens a dialog as a modal one. Returns a function that closes it. */
export function openDialog(dialog: HTMLDialogElement): () => void {
  dialog.showModal()
  $dialogs.set([...$dialogs.get(), dialog])
  return () => {
    dialog.close()
    $dialogs.set($dialogs.get().filter((open) => open !== dialog))
  }
}
