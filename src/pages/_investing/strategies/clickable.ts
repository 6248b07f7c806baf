import { runWhileBusy } from '../../../layouts/runWhileBusy.ts'

const FAILED = 'It could not be loaded. Please try again.'

/** A failed request. Its message is shown to the visitor. */
export class LoadError extends Error {}

/** Shows an element's button and runs its work on each click. A failure is shown beside the button. */
export function onClick(element: HTMLElement, work: (line: HTMLElement) => Promise<void>): void {
  const line = element.querySelector<HTMLElement>('.explore')
  const button = line?.querySelector('button')
  if (!line || !button) return
  line.hidden = false
  const runAndReport = async () => {
    let failure = ''
    try {
      await work(line)
    } catch (error) {
      failure = error instanceof LoadError ? error.message : FAILED
    }
    line.querySelector('[role]')?.replaceChildren(failure)
  }
  button.addEventListener('click', () => void runWhileBusy(button, runAndReport))
}
