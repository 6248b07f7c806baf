import { Fetched } from '../operator/Fetched.tsx'
import { OperatorScreen } from '../operator/OperatorScreen.tsx'
import { useAddress } from '../operator/useAddress.ts'
import { InvestorList, ListView } from './InvestorList.tsx'

/** /operator/investors: find somebody; with `?open=<id>` that investor's page. */
export function Investors() {
  return <OperatorScreen waiting={<ListView data={{ state: 'loading' }} />}>{Shown}</OperatorScreen>
}

function Shown() {
  const [openId] = useAddress('open', '')
  if (openId === '') return <InvestorList />
  return (
    <Fetched what="investor" load={() => import('./InvestorShown.tsx')}>
      {({ InvestorShown }) => <InvestorShown key={openId} id={openId} />}
    </Fetched>
  )
}
