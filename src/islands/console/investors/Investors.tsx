import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { InvestorList, ListView } from './InvestorList.tsx'
import { InvestorShown } from './InvestorShown.tsx'

/** /operator/investors: find somebody; with `?open=<id>` that investor's page. */
export function Investors() {
  return <OperatorScreen waiting={<ListView data={{ state: 'loading' }} />}>{Shown}</OperatorScreen>
}

function Shown() {
  const [openId] = useAddress('open', '')
  if (openId === '') return <InvestorList />
  return <InvestorShown key={openId} id={openId} />
}
