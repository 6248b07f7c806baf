/** Said before something is proposed: who decides it. */
export function TakesTwo({ othersCanDecide }: { othersCanDecide: boolean }) {
  if (othersCanDecide)
    return <p className="soft small">Another administrator decides this. You only propose it.</p>
  return (
    <p className="soft small">
      Another administrator has to decide this, and nobody else can act as one now: your proposal would wait.
      Whoever has the database appoints one with <code>npm run operator -- invite</code>.
    </p>
  )
}
