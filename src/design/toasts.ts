import { toast } from 'react-hot-toast/headless'

export { toast }

/** How long a toast stands, in milliseconds, by its kind. */
export const TOAST_MS = {
  blank: 4000,
  error: 4000,
  success: 2000,
  loading: Number.POSITIVE_INFINITY,
  custom: 4000,
} as const

/** How long a dismissed toast takes to leave, in milliseconds. */
export const TOAST_REMOVAL_MS = 1000

/** How many are kept; the oldest go first. */
export const TOAST_LIMIT = 20
