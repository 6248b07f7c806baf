import type { FileState } from './FileInput.tsx'

/** The rules of a file field. Types, limits and texts come from the contract. */
export interface FileRules {
  /** MIME types, for the `accept` attribute. */
  accept: readonly string[]
  /** Types and limit in words, for the hint: "PNG, JPEG or WebP, up to 8 MB". */
  described: string
  /** The error for more than one dropped file. */
  several: string
  /** Returns the error for a file, or null. */
  problem: (file: File) => string | null
}

/** Accepts exactly one valid file, or returns the error. */
export function takeOne(
  files: readonly [File, ...File[]],
  rules: FileRules,
): Extract<FileState, { state: 'chosen' | 'refused' }> {
  const [file, ...others] = files
  if (others.length > 0) return { state: 'refused', reason: rules.several }
  const reason = rules.problem(file)
  return reason === null ? { state: 'chosen', file } : { state: 'refused', file, reason }
}

/** Formats bytes in binary units, as limits are: "8 MB", "312 KB". */
export function formatFileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const kilobytes = bytes / 1024
  if (kilobytes < 1000) return `${Math.round(kilobytes)} KB`
  const megabytes = kilobytes / 1024
  return `${megabytes >= 10 || Number.isInteger(megabytes) ? Math.round(megabytes) : megabytes.toFixed(1)} MB`
}
