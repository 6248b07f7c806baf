import type { FileState } from './FileInput.tsx'

/** What a file field takes. The kinds, limits and words are the contract's; this layer only applies them. */
export interface FileRules {
  /** MIME types, as in the `accept` attribute: ["image/png", …]. */
  accept: readonly string[]
  /** Kinds and limit in words, for the hint: "PNG, JPEG or WebP, up to 8 MB". */
  described: string
  /** Said when more than one file is dropped. */
  several: string
  /** The sentence that says why this file isn't taken, or null. */
  problem: (file: File) => string | null
}

/** Exactly one file that the rules take, or the sentence that says why not. */
export function takeOne(
  files: readonly [File, ...File[]],
  rules: FileRules,
): Extract<FileState, { state: 'chosen' | 'refused' }> {
  const [file, ...others] = files
  if (others.length > 0) return { state: 'refused', reason: rules.several }
  const reason = rules.problem(file)
  return reason === null ? { state: 'chosen', file } : { state: 'refused', file, reason }
}

/** Bytes as people read them, in the binary units that limits are set in: "8 MB", "312 KB". */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const kilobytes = bytes / 1024
  if (kilobytes < 1000) return `${Math.round(kilobytes)} KB`
  const megabytes = kilobytes / 1024
  return `${megabytes >= 10 || Number.isInteger(megabytes) ? Math.round(megabytes) : megabytes.toFixed(1)} MB`
}
