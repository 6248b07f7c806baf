import { type DefaultToastOptions, toast } from 'react-hot-toast/headless'

export { toast }

/**
 * How long each kind of toast stays, and how long a dismissed one takes to leave, in milliseconds. The package keeps at
 * most 20 and drops the oldest first; a test relies on that.
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

/** Shows a success toast on the next page, because the action leads there. */
export function saveToastForNextPage(msg: string): void {
  try {
    sessionStorage.setItem(KEY, msg)
  } catch {
    // Without storage the toast is skipped.
  }
}

/** Shows the toast carried over from the previous page, once. */
export function showCarriedToast(): void {
  try {
    const msg = sessionStorage.getItem(KEY)
    if (msg === null) return
    sessionStorage.removeItem(KEY)
    toast.success(msg)
  } catch {
    // Without storage there is none.
  }
}
