import { persistentAtom } from '@nanostores/persistent'
import { useStore } from '@nanostores/react'

const KEY = 'amounts'

/** Whether this browser shows the amounts of the person who is signed in. */
const $amounts = persistentAtom<'shown' | 'hidden'>(KEY, 'shown', {
  encode: (value) => (value === 'shown' ? undefined : value),
  decode: readAmounts,
})

/** For what `OwnAmount` cannot hide, such as a chart. */
export function useAmountsHidden(): boolean {
  return useStore($amounts, { ssr: () => 'shown' as const }) === 'hidden'
}

/** Sets the attribute by which `OwnAmount` hides amounts. Runs in the head, before the first paint. The page's CSP contains its hash. */
export const amountsBeforePaint = `try{if(localStorage.getItem('${KEY}')==='hidden')document.documentElement.dataset.amounts='hidden'}catch{}`

/** Lets a button hide and show the amounts of its page, and follows the choice in other tabs. */
export function bindAmountsButton(button: HTMLButtonElement): void {
  $amounts.subscribe((amounts) => {
    document.documentElement.dataset.amounts = amounts
    button.ariaPressed = String(amounts === 'hidden')
  })
  button.addEventListener('click', () => $amounts.set($amounts.get() === 'hidden' ? 'shown' : 'hidden'))
  // The back button may restore the page as it was before the choice.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) $amounts.set(readAmounts(localStorage.getItem(KEY)))
  })
}

function readAmounts(text: string | null): 'shown' | 'hidden' {
  return text === 'hidden' ? 'hidden' : 'shown'
}
