import type { FindingKind } from "./found.ts";

/*
 * What the keys and tokens of services look like: the forms that the services document, and that their own scanners look
 * for. Each begins with something that nothing else begins with, so that no hash, id or UUID is taken for one.
 */

/** A form: what it begins with, one of several words; what follows; and what stands before it, where it begins with anything. */
export interface KeyFormat {
	readonly kind: FindingKind;
	readonly begins: readonly string[];
	/** From its beginning on. Sticky. */
	readonly form: RegExp;
	/** Ends where the beginning begins. */
	readonly before?: RegExp;
}

/** Nothing of a word stands before it; what stands for a line end, a blank or a color, as "\\n", "%20" or the end of "\\x1b[32m", may. */
const START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\[[\d;]{0,12}m))`;
const END = "(?![A-Za-z0-9_-])";

/** Forms whose beginning is so much their own that they are found anywhere: "a beginning or another | what follows". */
const CLEAR = `
	sk-ant- | [A-Za-z0-9_-]{20,}
	sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-None- sk-service- | [A-Za-z0-9_-]{20,}
	AIza | [A-Za-z0-9_-]{35}
	gsk_ | [A-Za-z0-9]{40,}
	xai- | [A-Za-z0-9]{60,}
	pplx- | [A-Za-z0-9]{40,}
	hf_ | [A-Za-z0-9]{30,}
	csk- | [a-z0-9]{40,}
	tvly- | [A-Za-z0-9-]{20,}
	lsv2_pt_ lsv2_sk_ | [0-9a-f]{32}_[0-9a-f]{8,}
	ghp_ gho_ ghu_ ghs_ ghr_ | [A-Za-z0-9]{36,}
	github_pat_ | [A-Za-z0-9_]{22,}
	glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- | [A-Za-z0-9_.-]{20,}
	npm_ | [A-Za-z0-9]{36}
	pypi- | [A-Za-z0-9_-]{50,}
	rubygems_ | [0-9a-f]{48}
	dckr_pat_ dckr_oat_ | [A-Za-z0-9_-]{27,}
	ATATT3 ATCTT3 | [A-Za-z0-9_=-]{60,}
	bkua_ | [0-9a-f]{40}
	CCIPAT_ | [A-Za-z0-9_]{40,}
	sntrys_ sntryu_ | [A-Za-z0-9_+/=.-]{40,}
	lin_api_ lin_oauth_ | [A-Za-z0-9]{32,}
	figd_ figo_ | [A-Za-z0-9_-]{36,}
	PMAK- | [0-9a-f]{24}-[0-9a-f]{34}
	ntn_ | [A-Za-z0-9]{40,}
	GOCSPX- | [A-Za-z0-9_-]{24,}
	ya29. | [A-Za-z0-9_-]{20,}
	dop_v1_ doo_v1_ dor_v1_ | [0-9a-f]{64}
	dapi dkea dose | [0-9a-f]{32}(?:-\\d)?
	hvs. hvb. hvr. | [A-Za-z0-9_-]{24,}
	dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. | [A-Za-z0-9._-]{40,}
	tskey-api- tskey-auth- tskey-client- tskey-scim- tskey-webhook- | [A-Za-z0-9-]{16,}
	sbp_ | [0-9a-f]{40}
	sb_secret_ | [A-Za-z0-9_-]{20,}
	pscale_tkn_ pscale_pw_ pscale_oauth_ | [A-Za-z0-9_.=-]{32,}
	napi_ | [a-z0-9]{60,}
	nfp_ nfc_ nfo_ nfu_ | [A-Za-z0-9]{36,}
	HRKU- | [A-Za-z0-9_-]{36,}
	NRAK- NRII- NRJS- | [A-Za-z0-9_-]{19,}
	glsa_ | [A-Za-z0-9]{32}_[0-9a-fA-F]{8}
	glc_ | [A-Za-z0-9+/]{32,}={0,2}
	AGE-SECRET-KEY-1 | [A-Z0-9]{58}
	phx_ phs_ | [A-Za-z0-9]{40,}
	sk_live_ sk_test_ rk_live_ rk_test_ | [A-Za-z0-9]{10,}
	whsec_ | [A-Za-z0-9+/=]{20,}
	sq0atp- sq0csp- | [A-Za-z0-9_-]{22,}
	shpat_ shpca_ shppa_ shpss_ | [0-9a-zA-Z]{32,}
	rzp_live_ rzp_test_ | [A-Za-z0-9]{14}
	access_token$production$ access_token$sandbox$ | [0-9a-z]{16}\\$[0-9a-f]{32}
	FLWSECK- FLWSECK_TEST- | [A-Za-z0-9-]{20,}
	xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- | [A-Za-z0-9%-]{10,}
	xoxe.xoxb- xoxe.xoxp- | [A-Za-z0-9-]{20,}
	xapp- | \\d-[A-Za-z0-9-]{20,}
	hooks.slack.com/ | (?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,}
	discord.com/api/webhooks/ discordapp.com/api/webhooks/ | \\d+/[A-Za-z0-9_-]{60,}
	webhook.office.com/webhookb2/ | [A-Za-z0-9@/_-]{40,}
	xkeysib- xsmtpsib- | [0-9a-f]{64}-[A-Za-z0-9]{16}
	SG. | [A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,100}
	ops_ey | [A-Za-z0-9+/=_-]{100,}
	A3- | [A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}
	vcp_ vci_ vca_ vcr_ vck_ | [A-Za-z0-9]{20,}
	vercel_blob_rw_ | [A-Za-z0-9_]{30,}
	fo1_ fm1_ fm2_ fm1r_ fm1a_ fm2r_ fm2a_ | [A-Za-z0-9+/=,_-]{40,}
	EZAK EZTK | [A-Za-z0-9]{54}
	dt0c01. dt0s16. | [A-Z0-9]{24}\\.[A-Z0-9]{64}
	LTAI5t | [A-Za-z0-9]{16,24}
	CFPAT- | [A-Za-z0-9_-]{43}
	duffel_test_ duffel_live_ | [A-Za-z0-9_=-]{43}
	shippo_live_ shippo_test_ | [0-9a-f]{40}
	hawk_live_ rnd_ rk_prod_ | [A-Za-z0-9]{32,}
	cfut_ cfat_ cfk_ | [A-Za-z0-9_-]{40,}
	jina_ | [A-Za-z0-9]{50,}
	pcsk_ | [A-Za-z0-9_]{50,}
	nvapi- | [A-Za-z0-9_-]{50,}
	infracost_ ico- | [A-Za-z0-9]{32}
	sgp_ | (?:[0-9a-fA-F]{16}_)?[0-9a-f]{40}
	waka_ | [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}
	$apr1$ $1$ | [./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{22}
	$5$ $6$ $y$ $7$ | [./A-Za-z0-9=]{1,20}\\$(?:[./A-Za-z0-9]{1,40}\\$)?[./A-Za-z0-9]{43,}
	$2a$ $2b$ $2y$ | \\d\\d\\$[./A-Za-z0-9]{53}
	$argon2i$ $argon2d$ $argon2id$ | [A-Za-z0-9+/=$,]{40,}
	$scrypt$ $pbkdf2-sha256$ $pbkdf2-sha512$ | [A-Za-z0-9+/=$,.]{40,}
	pbkdf2_sha256$ pbkdf2_sha1$ scrypt: | \\d+[$:][A-Za-z0-9:]{1,80}\\$[A-Za-z0-9+/=]{20,}
	{SHA} {SSHA} {SSHA256} {SSHA512} {SMD5} {MD5} | [A-Za-z0-9+/]{20,}={0,2}
`;

/** Forms that begin with what a word may end with. */
const AT_START = `
	sk- | (?=[A-Za-z_-]{0,60}\\d)[A-Za-z0-9_-]{20,}
	AKIA ASIA ABIA ACCA | [A-Z2-7]{16}
	LTAI | [A-Za-z0-9]{12,24}
	AKID | (?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{32,40}
	SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf | [0-9a-f]{31}
	key- | [0-9a-f]{32}
	r8_ | [A-Za-z0-9]{37}
	pul- | [0-9a-f]{40}
	e2b_ | [0-9a-f]{40}
	re_ | [A-Za-z0-9]{8}_[A-Za-z0-9]{20,}
	fw_ | (?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{22,}
	cio | (?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{32}
	secret_ | (?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{43}
	pat | [A-Za-z0-9]{14}\\.[0-9a-f]{64}
	1//0 | [A-Za-z0-9_-]{35,}
	EAA | (?!A{4})(?=[A-Za-z]{0,60}\\d)[A-Za-z0-9]{80,}
	sl. | [A-Za-z0-9_-]{100,}
	v1.0- | [0-9a-f]{24}-[0-9a-f]{100,}
	EAAAE EAAAl | (?!A{3})[A-Za-z0-9_-]{58,61}
	ATBB | [A-Za-z0-9]{32,40}
	AKCp | [A-Za-z0-9]{60,}
	AAAA | [A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{100,}
`;

/** Tokens: a JSON Web Token, signed or encrypted. */
const TOKENS = `
	eyJ | [A-Za-z0-9_-]{8,}\\.(?:eyJ)?[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*){1,3}
	v2.local. v4.local. v2.public. v4.public. | [A-Za-z0-9_-]{40,}
`;

/** The beginning of a token of a bot of Discord: the digits of its id, in Base64. */
const DISCORD = ["M", "N", "O"].flatMap((one) =>
	["D", "T", "j", "z"].flatMap((two) => [..."AEIMQUYcgk"].map((three) => `${one}${two}${three}`)),
);

/** All of them. */
export const KEY_FORMATS: readonly KeyFormat[] = [
	...formatsOf(CLEAR, "key", "", ""),
	...formatsOf(AT_START, "key", START, END),
	...formatsOf(TOKENS, "token", START, END),
	{
		kind: "token",
		begins: DISCORD,
		form: sticky(`${START}[A-Za-z0-9_-]{24,30}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}${END}`),
	},
	{
		kind: "key",
		begins: [".atlasv1."],
		before: /[A-Za-z0-9]{14}$/,
		form: sticky("\\.atlasv1\\.[A-Za-z0-9_-]{60,}"),
	},
	{ kind: "key", begins: ["-us"], before: new RegExp(`${START}[0-9a-f]{32}$`), form: sticky(`-us\\d{1,2}${END}`) },
	{
		kind: "key",
		begins: [":AA"],
		before: new RegExp(`${START}\\d{8,10}$`),
		form: sticky(`:AA[A-Za-z0-9_-]{32,34}${END}`),
	},
	{
		kind: "key",
		begins: [..."0123456789"].map((digit) => `${digit}Q~`),
		before: /(?:^|[^A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}$/,
		form: sticky(`\\dQ~[A-Za-z0-9_~.-]{31,34}${END}`),
	},
];

function formatsOf(table: string, kind: FindingKind, start: string, end: string): KeyFormat[] {
	return table
		.trim()
		.split("\n")
		.map((line) => {
			const [begins = "", rest = ""] = line.trim().split(" | ");
			const words = begins.split(" ");
			const sources = words.map((word) => word.replace(/[^\w]/g, "\\$&"));
			return { kind, begins: words, form: sticky(`${start}(?:${sources.join("|")})${rest}${end}`) };
		});
}

function sticky(source: string): RegExp {
	return new RegExp(source, "y");
}
