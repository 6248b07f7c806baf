import { type DefaultToastOptions, toast } from 'react-hot-toast/headless'

export { toast }

/**
 * How long a toast of each kind stands and how long a dismissed one takes to leave, in milliseconds. At most 20 are
 * kept, the oldest going first: that is the package's own limit, and a test holds it to it.
 */
export const toastOptions = {
  removeDelay: 1000,
  blank: { duration: 4000 },
  error: { duration: 4000 },
  success: { duration: 2000 },
  loading: { duration: Number.POSITIVE_INFINITY },
  custom: { duration: 4000 },
} as const satisfies DefaultToastOptions

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
