/** That a request was filed, and where to follow it and take it back. */
export function FiledWords({ reference }: { reference: string }) {
  return (
    <p>
      Your request{' '}
      <a href={`/dashboard/transaction-history?open=${reference}`}>
        <code>{reference}</code>
      </a>{' '}
      was sent and is awaiting approval. Its status is in your transaction history, where you can cancel it
      while it is pending.
    </p>
  )
}
