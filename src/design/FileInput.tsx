import { FileText, ImageUp } from 'lucide-react'
import { type DragEvent, type ReactNode, type Ref, useEffect, useId, useState } from 'react'
import { Button } from './Button.tsx'
import { joinClasses } from './classes.ts'
import field from './Field.module.css'
import { FieldNotes, getControlAttributes } from './Field.tsx'
import styles from './FileInput.module.css'
import { Progress } from './Progress.tsx'
import { type FileRules, formatFileSize, takeOne } from './takeOne.ts'

/** The field's state. `refused` has the reason, and the file if there is one. */
export type FileState =
  | { state: 'empty' }
  /** `original` is the size in bytes of a picture that was made smaller. */
  | { state: 'chosen'; file: File; original?: number | undefined }
  /** Being read, and made smaller if it is too large. */
  | { state: 'preparing'; file: File }
  /** `progress` runs from 0 to 1. */
  | { state: 'sending'; file: File; progress: number }
  | { state: 'refused'; file?: File; reason: string }

export interface FileInputProps {
  label: string
  name: string
  hint?: ReactNode
  /** Shown before the hint, in bold. */
  note?: string | undefined
  /** The form's error. A refusal's reason takes precedence. */
  error?: string | undefined
  value: FileState
  /** Receives `empty`, `chosen` or `refused`; the sender sets `sending`. */
  onChange: (next: FileState) => void
  rules: FileRules
  ref?: Ref<HTMLInputElement>
}

/** One file, dropped or chosen, with a preview, a remove button and upload progress. */
export function FileInput({ label, name, hint, note, error, value, onChange, rules, ref }: FileInputProps) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const [first, ...others] = files ?? []
    if (first) onChange(takeOne([first, ...others], rules))
  }
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  const remove = () => {
    onChange({ state: 'empty' })
    // The focused button is gone now.
    document.getElementById(id)?.focus()
  }
  const file = value.state === 'empty' ? undefined : value.file
  const problem = value.state === 'refused' ? value.reason : error
  const notes = (
    <>
      {note && <strong>{note} </strong>}
      {hint && <span>{hint} </span>}
      <span>{rules.described}</span>
    </>
  )
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={id}>
        {label}
      </label>
      <div
        className={joinClasses(
          styles.zone,
          file && styles.filled,
          isOver && styles.over,
          problem && styles.wrong,
        )}
      >
        {file ? <Preview file={file} /> : <ImageUp className={styles.mark} aria-hidden="true" size={28} />}
        <div className={styles.words}>
          {file ? (
            <p className={styles.name}>
              <bdi>{file.name}</bdi> <span className={styles.size}>{describeSize(value, file)}</span>
            </p>
          ) : (
            <p className={styles.name}>
              Choose a file<span className={styles.drop}>, or drop one here</span>
            </p>
          )}
          {value.state === 'preparing' && <p role="status">Preparing the picture…</p>}
          {value.state === 'sending' ? (
            <Progress
              what={`Sending ${label}`}
              progress={value.progress}
              words={describeProgress(value.progress)}
            />
          ) : (
            file && (
              <Button size="small" onClick={remove}>
                Remove
                <span className="visually-hidden">
                  {' '}
                  <bdi>{file.name}</bdi>
                </span>
              </Button>
            )
          )}
        </div>
        <input
          {...getControlAttributes(id, notes, problem)}
          ref={ref}
          className={styles.input}
          type="file"
          name={name}
          accept={rules.accept.join(',')}
          disabled={value.state === 'sending'}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={handleDrop}
          onChange={(event) => {
            take(event.target.files)
            showSubmit(event.target.form)
            // Cleared, so that choosing the same file again triggers a change.
            event.target.value = ''
          }}
        />
      </div>
      <FieldNotes controlId={id} hint={notes} error={problem} />
    </div>
  )
}

/** Brings the submit button into sight once the preview has its place: the picture is usually the last field. */
function showSubmit(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector('[type=submit]')?.scrollIntoView({ block: 'nearest' }))
}

function describeSize(value: FileState, { size }: File): string {
  return value.state === 'chosen' && value.original !== undefined
    ? `${formatFileSize(size)}, made smaller from ${formatFileSize(value.original)}`
    : formatFileSize(size)
}

function describeProgress(progress: number): string {
  const percent = Math.round(progress * 100)
  return percent < 100 ? `Sending, ${percent}%` : 'Sent, waiting for an answer'
}

function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string | null>(null)
  const [isPicture, setPicture] = useState(true)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    setPicture(true)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (!isPicture) return <FileText className={styles.mark} aria-hidden="true" size={28} />
  return url === null ? (
    <span className={styles.picture} />
  ) : (
    <img className={styles.picture} src={url} alt="Preview of the file" onError={() => setPicture(false)} />
  )
}
