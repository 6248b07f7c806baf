import { SAMPLE_PICTURES } from '../../contract/uploads.ts'
import type { FileState } from '../../design/FileInput.tsx'

export type SampleName = keyof typeof SAMPLE_PICTURES

const loaded = new WeakSet<File>()

/** Loads one of our own sample pictures. Fails if it cannot be loaded. */
export async function loadSample(name: SampleName): Promise<File> {
  const answer = await fetch(SAMPLE_PICTURES[name])
  if (!answer.ok) throw new Error(`The sample is not there: ${answer.status}`)
  const file = new File([await answer.blob()], `sample-${name}.svg`, { type: 'image/svg+xml' })
  loaded.add(file)
  return file
}

/** Whether the chosen file is one of our samples. */
export function isSample(value: FileState): boolean {
  return value.state !== 'empty' && value.file !== undefined && loaded.has(value.file)
}
