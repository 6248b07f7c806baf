import type { FileState } from './FileInput.tsx'

/** What a file field takes. The kinds and the cap are the contract's; this layer only applies them. */
export interface FileRules {
  /** MIME types, as in the `accept` attribute: ["image/png", …]. */
  accept: readonly string[]
  /** The same in words: "PNG, JPEG or WebP". */
  described: string
  maxBytes: number
}

/** Exactly one file of a kind and size that is taken, or the sentence that says why not. */
export function takeOne(
  files: readonly File[],
  rules: FileRules,
): Extract<FileState, { state: 'chosen' | 'refused' }> {
  const [file, ...others] = files
  if (!file || others.length > 0) return { state: 'refused', reason: 'Please choose exactly one file' }
  if (!rules.accept.includes(file.type)) {
    return { state: 'refused', reason: `“${file.name}” is not one of ${rules.described}` }
  }
  if (file.size > rules.maxBytes) {
    return {
      state: 'refused',
      reason: `“${file.name}” is ${fileSize(file.size)}; at most ${fileSize(rules.maxBytes)} can be sent`,
    }
  }
  if (file.size === 0) return { state: 'refused', reason: `“${file.name}” is empty` }
  return { state: 'chosen', file }
}

/** Bytes as people read them, in the binary units that limits are set in: "8 MB", "312 KB". */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const kilobytes = bytes / 1024
  if (kilobytes < 1000) return `${Math.round(kilobytes)} KB`
  const megabytes = kilobytes / 1024
  return `${megabytes >= 10 || Number.isInteger(megabytes) ? Math.round(megabytes) : megabytes.toFixed(1)} MB`
}
