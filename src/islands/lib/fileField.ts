import { useState } from 'react'
import { ALLOWED_IMAGE_TYPES, UPLOAD_WORDS, uploadProblem } from '../../contract/uploads.ts'
import type { FileInputProps, FileState } from '../../design/FileInput.tsx'

/** The picture that a form sends along. Made by `useFileField`, given to `useEndpointForm` as `file`. */
export interface FileField {
  /** For `<FileInput label="Receipt" {...file.input} />`. */
  input: Pick<FileInputProps, 'name' | 'value' | 'onChange' | 'rules' | 'note'>
  name: string
  /** The chosen picture; null when there is none, which the field then says. */
  take: () => File | null
  /** How much of it has left, from 0 to 1. */
  progress: (share: number) => void
  refuse: (reason: string) => void
  /** Sending has ended, however it did: the picture is still the chosen one. */
  release: () => void
  empty: () => void
  /** Says that the picture chosen before could not be kept. */
  askAgain: () => void
}

/** `missing` is said when the form is sent without it: the sentence stands in the endpoint's `files`. */
export function useFileField(name: string, missing: string): FileField {
  const [value, setValue] = useState<FileState>({ state: 'empty' })
  const [isAskedAgain, setAskedAgain] = useState(false)
  return {
    input: {
      name,
      value,
      onChange: setValue,
      rules,
      note: isAskedAgain && value.state === 'empty' ? NOT_KEPT : undefined,
    },
    name,
    take: () => {
      if (value.state === 'chosen') return value.file
      if (value.state === 'empty') setValue({ state: 'refused', reason: missing })
      return null
    },
    progress: (share) =>
      setValue((now) =>
        now.state === 'chosen' || now.state === 'sending'
          ? { state: 'sending', file: now.file, progress: share }
          : now,
      ),
    refuse: (reason) =>
      setValue((now) => ({ state: 'refused', reason, ...(now.state !== 'empty' && { file: now.file }) })),
    release: () => setValue((now) => (now.state === 'sending' ? { state: 'chosen', file: now.file } : now)),
    empty: () => {
      setValue({ state: 'empty' })
      setAskedAgain(false)
    },
    askAgain: () => setAskedAgain(true),
  }
}

const NOT_KEPT = 'A browser keeps no file: please choose it again.'

const rules = {
  accept: ALLOWED_IMAGE_TYPES,
  described: 'PNG, GIF, JPEG, SVG, WebP or AVIF, up to 8 MB',
  several: UPLOAD_WORDS.several,
  problem: uploadProblem,
}
