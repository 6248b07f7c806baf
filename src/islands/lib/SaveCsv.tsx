import { Download } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button, type ButtonProps } from '../../design/Button.tsx'
import { toast } from '../../design/toasts.ts'
import { useAction } from './action.ts'
import { toDecimalCommas, usesDecimalComma } from './localCsv.ts'
import { saveFile } from './saveFile.ts'

interface SaveCsvProps extends Pick<ButtonProps, 'size' | 'variant' | 'disabled'> {
  label: string
  /** The name of the file, without its ending. */
  buildName: () => string
  /** Undefined while there is nothing to load. */
  load: () => Promise<Blob> | undefined
  /** Whether the file is a heading and rows. Then the message counts the rows. */
  isList?: boolean
}

/** Downloads a CSV file. If the browser knows a language with decimal commas, there is one for its spreadsheets, too. */
export function SaveCsv({ label, buildName, load, isList = false, ...look }: SaveCsvProps) {
  const save = async (file: Blob) => {
    const name = `${buildName()}.csv`
    saveFile(name, file)
    toast.success(`Saved ${isList ? `${countRows(await file.text())} ` : ''}as ${name}.`)
  }
  const plain = useAction(async () => {
    const file = await load()
    if (file) await save(file)
  })
  const local = useAction(async () => {
    const file = await load()
    if (file === undefined) return
    const csv = toDecimalCommas(await file.text())
    // Reading a file drops its byte order mark, by which spreadsheets know UTF-8.
    await save(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }))
  })
  const hasLocal = useSyncExternalStore(
    () => () => {},
    () => usesDecimalComma(navigator.languages),
    () => false,
  )
  return (
    <>
      <Button
        {...look}
        busy={plain.busy}
        onClick={plain.start}
        icon={<Download aria-hidden="true" size={16} />}
      >
        {label}
      </Button>
      {hasLocal && (
        <Button {...look} busy={local.busy} onClick={local.start}>
          CSV with decimal commas
        </Button>
      )}
    </>
  )
}

/** "25 rows". Only the end of a line has a carriage return. */
function countRows(csv: string): string {
  const rows = csv.split('\r\n').length - 2
  return rows === 1 ? '1 row' : `${rows} rows`
}
