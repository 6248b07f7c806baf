import { useStore } from '@nanostores/react'
import type { SessionAnswer } from '../../contract/auth.ts'
import { $session } from './session.ts'

/** Who is signed in. Null while the page is built and on the first render, so that what was built can be taken over. */
export function useSession(): SessionAnswer | null {
  return useStore($session, { ssr: () => null })
}
