/** Key in localStorage for the answer of the sign-in. No other key holds personal data. */
export const SESSION_KEY = 'user-info'

/**
 * Runs in the head of every signed-in page, before the first paint. Without a session it hides the page and opens /sign-in,
 * with `why=ended` if the session has expired. It sends investors from operator pages to their overview. For operators it
 * stores the roles on the root element, by which the navigation is styled. The page's CSP contains its hash. It protects no
 * data: the server does.
 */
export const guardBeforePaint = `(()=>{const q=[];try{const s=JSON.parse(localStorage.getItem('${SESSION_KEY}'));if(s&&s.token&&!(Date.parse(s.expiresAt)<=Date.now())){const r=document.documentElement;if(s.operator)r.dataset.roles=String(s.operator.roles).replaceAll(',',' ');if(s.role==='operator'||!/^\\/operator(\\/|$)/.test(location.pathname))return;document.documentElement.hidden=true;return location.replace('/dashboard/overview')}if(s&&s.token)q.push('why=ended')}catch{}document.documentElement.hidden=true;const p=location.pathname+location.search+location.hash;if(p!=='/dashboard/overview'&&p!=='/operator')q.unshift('next='+encodeURIComponent(p));location.replace('/sign-in'+(q[0]?'?'+q.join('&'):''))})()`
