import { useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Logo } from '../../../design/Logo.tsx'
import { PageHeading } from '../../../design/PageHeading.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Progress } from '../../../design/Progress.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { WithAside } from '../../../design/WithAside.tsx'

/** What stands while something loads, where it could not be, and around it. */
export function Waiting() {
  const [tries, setTries] = useState(1)
  return (
    <WithAside aside={<Panel title="Meanwhile">What is good to know stands beside the screen.</Panel>}>
      <Panel title="Skeletons and failures">
        {(['short', 'medium', 'long', 'full'] as const).map((width) => (
          <Skeleton key={width} width={width} />
        ))}
        {(['text', 'figure', 'control', 'block'] as const).map((height) => (
          <Skeleton key={height} height={height} />
        ))}
        <Progress progress={0.4} what="Unlocking" />
        <LoadFailure
          msg={`The wallets could not be loaded. Tried ${tries} times.`}
          onRetry={() => setTries(tries + 1)}
        />
        <ErrorBoundary home="/design">
          <Breaking />
        </ErrorBoundary>
        <PageHeading title="The heading of a screen" lead="And its lead." />
        <div className="row">
          <Logo name="Evenkeel" />
          <Logo name={null} />
        </div>
      </Panel>
    </WithAside>
  )
}

function Breaking() {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) throw new Error('A sample of a crash, from the page of the design.')
  return <Button onClick={() => setBroken(true)}>Let this part crash</Button>
}
