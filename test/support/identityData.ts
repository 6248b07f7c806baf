/** What a reviewer reads on the identity document with this id. Each document has another number. */
export function readIdentityData(id: string | undefined, documentName = 'Ana Torres') {
  return {
    riskReason: 'Called back, all is in order',
    documentName,
    documentNumber: `N ${id}`.slice(0, 40),
    bornOn: '1990-05-01',
    expiresOn: '2099-05-01',
  }
}
