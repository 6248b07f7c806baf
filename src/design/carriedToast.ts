import { toast } from './toasts.ts'

const KEY = 'toast'

/** A success that is said on the next page, because what succeeded leads there. */
export function toastOnNextPage(msg: string): void {
  try {
    sessionStorage.setItem(KEY, msg)
  } catch {
    // A browser that keeps nothing goes on without the words.
  }
}

/** Says what the page before left to be said, once. */
export function sayCarriedToast(): void {
  try {
    const msg = sessionStorage.getItem(KEY)
    if (msg === null) return
    sessionStorage.removeItem(KEY)
    toast.success(msg)
  } catch {
    // As above.
  }
}
