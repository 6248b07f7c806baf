import { useEffect, useState } from 'react'
import { ACCOUNT_STANDINGS, IDENTITY_STANDINGS } from '../../../contract/console/investors.ts'
import { setSearchParams } from '../../lib/url.ts'
import { useAddress } from '../cases/useAddress.ts'

/** Nothing is asked for before the fingers rest. */
const REST_MS = 300

export interface Search {
  /** What stands in the field. */
  text: string
  type: (text: string) => void
  /** At once, for Enter. */
  find: () => void
  isAnywhere: boolean
  account: string
  kyc: string
  narrow: (words: Partial<Record<'anywhere' | 'account' | 'kyc', string>>) => void
  isNarrowed: boolean
  /** What the list is asked. */
  asked: {
    query: string
    anywhere: 'true' | ''
    account: (typeof ACCOUNT_STANDINGS)[number] | ''
    kyc: (typeof IDENTITY_STANDINGS)[number] | ''
  }
}

/** Who is looked for, kept in the address: as one types, once the fingers rest, or at once on Enter. */
export function useSearch(): Search {
  const [query, ask] = useAddress('query', '')
  const [anywhere] = useAddress('anywhere', '')
  const [account] = useAddress('account', '')
  const [kyc] = useAddress('kyc', '')
  const [text, setText] = useState(query)
  const [askedFor, setAskedFor] = useState(query)
  // The way back changes the address, and the field with it.
  if (askedFor !== query) {
    setAskedFor(query)
    setText(query)
  }
  const wanted = text.trim()
  const find = (wish: string) => {
    setAskedFor(wish)
    ask(wish)
  }
  useEffect(() => {
    if (wanted === query) return
    const timer = setTimeout(() => {
      setAskedFor(wanted)
      ask(wanted)
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [wanted, query, ask])
  const asked: Search['asked'] = {
    query,
    anywhere: anywhere === 'true' ? 'true' : '',
    account: ACCOUNT_STANDINGS.find((each) => each === account) ?? '',
    kyc: IDENTITY_STANDINGS.find((each) => each === kyc) ?? '',
  }
  return {
    text,
    type: setText,
    find: () => find(wanted),
    isAnywhere: asked.anywhere === 'true',
    account: asked.account,
    kyc: asked.kyc,
    narrow: (words) =>
      setSearchParams(Object.fromEntries(Object.entries(words).map(([name, word]) => [name, word || null]))),
    isNarrowed: query !== '' || asked.account !== '' || asked.kyc !== '',
    asked,
  }
}
