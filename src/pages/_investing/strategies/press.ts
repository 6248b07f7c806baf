import { busy } from '../../_outreach/newsletter/busy.ts'
import { LOST } from './lost.ts'
import { pressedUrl, trustedScript } from './trustedScript.ts'

/** Shows the line with an element's button. A press of it has done what `pressed.ts` does for such an element, and then `after`. */
export function onPress(element: HTMLElement, after?: (line: HTMLElement) => void): void {
  const line = element.querySelector<HTMLElement>('.explore')
  const button = line?.querySelector('button')
  if (!line || !button) return
  line.hidden = false
  button.addEventListener(
    'click',
    () =>
      void busy(button, async () => {
        const wrong = await fetchPressed(element)
        const told = line.querySelector('[role]')
        if (told) told.textContent = wrong ?? ''
        if (wrong === null) after?.(line)
      }),
  )
}

/**
 * What went wrong, or null. `import()` would bring along what every island needs, so it is a script of its own, which runs anew
 * each time, and itself tells how it went.
 */
function fetchPressed(element: HTMLElement): Promise<string | null> {
  element.dataset.pressed = ''
  return new Promise((end) => {
    element.addEventListener(
      'pressed',
      (event) => end(event instanceof CustomEvent ? (event.detail ?? null) : LOST),
      { once: true },
    )
    const script = document.createElement('script')
    script.addEventListener('error', () => end(LOST))
    script.src = trustedScript(pressedUrl)
    document.head.appendChild(script)
  })
}
