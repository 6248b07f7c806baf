import { useRef, useState } from 'react'
import {
  ALLOWED_IMAGE_TYPES,
  findDocumentProblem,
  PDF_TYPE,
  UPLOAD_WORDS,
  uploadProblem,
} from '../../contract/uploads.ts'
import type { FileInputProps, FileState } from '../../design/FileInput.tsx'

import { mayNeedReduction, reducePicture } from './reducePicture.ts'

/** A picture field. Created by `useFileField`, passed to `useEndpointForm` as `file`. */
export interface FileField {
  /** For `<FileInput label="Receipt" {...file.input} />`. */
  input: Pick<FileInputProps, 'name' | 'value' | 'onChange' | 'rules' | 'note'>
  name: string
  /** Returns the chosen picture, once it is small enough. Without one, returns null and shows an error at the field. */
  take: () => Promise<File | null>
  /** Shows the share that was sent, from 0 to 1. */
  progress: (share: number) => void
  refuse: (reason: string) => void
  /** Call when sending has ended, with or without success: the picture stays chosen. */
  release: () => void
  empty: () => void
  /** Tells the user to choose the picture again, because drafts cannot store files. */
  askAgain: () => void
}

/**
 * `missing` is the error for a form sent without a file; the endpoint's `files` has the sentence. A document may also be a PDF, if the
 * endpoint takes them.
 */
export function useFileField(name: string, missing: string, kind: keyof typeof RULES = 'picture'): FileField {
  const [value, setValue] = useState<FileState>({ state: 'empty' })
  const [isAskedAgain, setAskedAgain] = useState(false)
  const preparation = useRef<Promise<FileState>>(null)
  const choose = (next: FileState) => {
    preparation.current = null
    const file = next.state === 'empty' ? undefined : next.file
    if (file === undefined || !mayNeedReduction(file)) return setValue(next)
    setValue({ state: 'preparing', file })
    const current = prepareFile(next, file)
    preparation.current = current
    // Another file may be chosen meanwhile.
    void current.then((prepared) => preparation.current === current && setValue(prepared))
  }
  return {
    input: {
      name,
      value,
      onChange: choose,
      rules: RULES[kind],
      note: isAskedAgain && value.state === 'empty' ? NOT_KEPT : undefined,
    },
    name,
    take: async () => {
      const state = value.state === 'preparing' ? await preparation.current : value
      if (state?.state === 'chosen') return state.file
      if (state?.state === 'empty') setValue({ state: 'refused', reason: missing })
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
      preparation.current = null
      setValue({ state: 'empty' })
      setAskedAgain(false)
    },
    askAgain: () => setAskedAgain(true),
  }
}

async function prepareFile(chosen: FileState, file: File): Promise<FileState> {
  const reduced = await reducePicture(file)
  return reduced === file ? chosen : { state: 'chosen', file: reduced, original: file.size }
}

const NOT_KEPT = 'Please choose the file again. Browsers do not keep it.'

const RULES = {
  picture: {
    accept: ALLOWED_IMAGE_TYPES,
    described: 'PNG, GIF, JPEG, SVG, WebP or AVIF. Pictures above 8 MB are made smaller in your browser.',
    several: UPLOAD_WORDS.several,
    problem: uploadProblem,
  },
  document: {
    accept: [PDF_TYPE, ...ALLOWED_IMAGE_TYPES],
    described: 'A PDF of up to 8 MB, or a picture.',
    several: UPLOAD_WORDS.severalDocuments,
    problem: findDocumentProblem,
  },
} as const
