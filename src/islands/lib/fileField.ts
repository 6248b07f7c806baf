import { useState } from 'react'
import { ALLOWED_IMAGE_TYPES, UPLOAD_WORDS, uploadProblem } from '../../contract/uploads.ts'
import type { FileInputProps, FileState } from '../../design/FileInput.tsx'

/** A picture field. Created by `useFileField`, passed to `useEndpointForm` as `file`. */
export interface FileField {
  /** For `<FileInput label="Receipt" {...file.input} />`. */
  input: Pick<FileInputProps, 'name' | 'value' | 'onChange' | 'rules' | 'note'>
  name: string
  /** Returns the chosen picture. Without one, returns null and shows an error at the field. */
  take: () => File | null
  /** Shows the share that was sent, from 0 to 1. */
  progress: (share: number) => void
  refuse: (reason: string) => void
  /** Call when sending has ended, with or without success: the picture stays chosen. */
  release: () => void
  empty: () => void
  /** Tells the user to choose the picture again, because drafts cannot store files. */
  askAgain: () => void
}

/** `missing` is the error for a form sent without a picture; the endpoint's `files` has the sentence. */
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

const NOT_KEPT = 'Please choose the file again. Browsers do not keep it.'

const rules = {
  accept: ALLOWED_IMAGE_TYPES,
  described: 'PNG, GIF, JPEG, SVG, WebP or AVIF, up to 8 MB',
  several: UPLOAD_WORDS.several,
  problem: uploadProblem,
}
