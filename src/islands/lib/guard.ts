/** The one key of the browser's storage that holds anything about a person: the answer of the sign-in, whole. */
export const SESSION_KEY = 'user-info'

/**
 * Runs in the head of every signed-in page, before anything is painted: without a session the page is hidden and left
 * for /sign-in, which is told when there was one until it expired, and an operator's page by anybody else for their own overview. An operator’s roles are noted
 * for what is shown by them. It is hashed into the page’s policy. What it decides protects nobody’s data, the server does that.
 */
export const guardBeforePaint = `(()=>{const q=[];try{const s=JSON.parse(localStorage.getItem('${SESSION_KEY}'));if(s&&s.token&&!(Date.parse(s.expiresAt)<=Date.now())){const r=document.documentElement;if(s.operator)r.dataset.roles=String(s.operator.roles).replaceAll(',',' ');if(s.role==='operator'||!/^\\/operator(\\/|$)/.test(location.pathname))return;document.documentElement.hidden=true;return location.replace('/dashboard/overview')}if(s&&s.token)q.push('why=ended')}catch{}document.documentElement.hidden=true;const p=location.pathname+location.search+location.hash;if(p!=='/dashboard/overview'&&p!=='/operator')q.unshift('next='+encodeURIComponent(p));location.replace('/sign-in'+(q[0]?'?'+q.join('&'):''))})()`
