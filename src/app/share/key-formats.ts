import type { FindingKind } from "./finding-kinds.ts";

/*
 * What the keys and tokens of services look like: the forms that the services document, and that their own scanners look
 * for. Each begins with something that nothing else begins with, so that no hash, id or UUID is taken for one.
 */

/** Nothing of a word stands before it; what stands for a line end, a blank or a color, as "\\n", "%20" or the end of "\\x1b[32m", may. */
const START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=^\d{0,3}m))`;
const END = "(?![A-Za-z0-9_-])";

/** Forms whose beginning is so much their own that they are found anywhere. */
const CLEAR: readonly string[] = [
	// Models
	"sk-ant-[A-Za-z0-9_-]{20,}",
	"sk-(?:proj|svcacct|admin|or-v1|None|service)-[A-Za-z0-9_-]{20,}",
	"AIza[A-Za-z0-9_-]{35}",
	"gsk_[A-Za-z0-9]{40,}",
	"xai-[A-Za-z0-9]{60,}",
	"pplx-[A-Za-z0-9]{40,}",
	"hf_[A-Za-z0-9]{30,}",
	"csk-[a-z0-9]{40,}",
	"tvly-[A-Za-z0-9-]{20,}",
	"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{8,}",
	// Code and packages
	"gh[pousr]_[A-Za-z0-9]{36,}",
	"github_pat_[A-Za-z0-9_]{22,}",
	"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{20,}",
	"npm_[A-Za-z0-9]{36}",
	"pypi-[A-Za-z0-9_-]{50,}",
	"rubygems_[0-9a-f]{48}",
	"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}",
	"ATATT3[A-Za-z0-9_=-]{60,}",
	"ATBB[A-Za-z0-9]{32,}",
	"bkua_[0-9a-f]{40}",
	"CCIPAT_[A-Za-z0-9_]{40,}",
	"sntry[su]_[A-Za-z0-9_+/=.-]{40,}",
	"lin_(?:api|oauth)_[A-Za-z0-9]{32,}",
	"figd_[A-Za-z0-9_-]{36,}",
	"PMAK-[0-9a-f]{24}-[0-9a-f]{34}",
	"ntn_[A-Za-z0-9]{40,}",
	// Clouds and hosts
	"GOCSPX-[A-Za-z0-9_-]{24,}",
	"ya29\\.[A-Za-z0-9_-]{20,}",
	"do[opr]_v1_[0-9a-f]{64}",
	"dapi[0-9a-f]{32}(?:-\\d)?",
	"[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,}",
	"hv[sbr]\\.[A-Za-z0-9_-]{24,}",
	"dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,}",
	"tskey-(?:api|auth|client|scim|webhook)-[A-Za-z0-9-]{16,}",
	"sbp_[0-9a-f]{40}",
	"sb_secret_[A-Za-z0-9_-]{20,}",
	"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}",
	"napi_[a-z0-9]{60,}",
	"nfp_[A-Za-z0-9]{36,}",
	"HRKU-[A-Za-z0-9_-]{36,}",
	"NRAK-[A-Z0-9]{27}",
	"glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}",
	"AGE-SECRET-KEY-1[A-Z0-9]{58}",
	"phx_[A-Za-z0-9]{40,}",
	// Money
	"[sr]k_(?:live|test)_[A-Za-z0-9]{10,}",
	"whsec_[A-Za-z0-9+/=]{20,}",
	"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}",
	"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
	"rzp_(?:live|test)_[A-Za-z0-9]{14}",
	// Mail and messages
	"xox[abeoprs]-[A-Za-z0-9-]{10,}",
	"xoxe\\.xox[bp]-[A-Za-z0-9-]{20,}",
	"xapp-\\d-[A-Za-z0-9-]{20,}",
	"hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,}",
	"discord(?:app)?\\.com/api/webhooks/\\d+/[A-Za-z0-9_-]{60,}",
	"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}",
	"SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,100}",
];

/** Forms that begin with what a word may end with. */
const AT_START: readonly string[] = [
	// A digit among them: "sk-circle-fade-dot-animation" is a name.
	"sk-(?=[A-Za-z_-]{0,60}\\d)[A-Za-z0-9_-]{20,}",
	"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",
	"LTAI[A-Za-z0-9]{12,24}",
	"AKID(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{32,40}",
	"SK[0-9a-f]{32}",
	"key-[0-9a-f]{32}",
	"[0-9a-f]{32}-us\\d{1,2}",
	"r8_[A-Za-z0-9]{37}",
	"pul-[0-9a-f]{40}",
	"e2b_[0-9a-f]{40}",
	"fm\\d[a-z]?_[A-Za-z0-9+/=,_-]{60,}",
	"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}",
	"fw_(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{22,}",
	"cio(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{32}",
	"secret_(?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{43}",
	"pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}",
	"1//0[A-Za-z0-9_-]{35,}",
	"\\d{8,10}:AA[A-Za-z0-9_-]{32,34}",
	"[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}",
	"EAA(?!A{4})(?=[A-Za-z]{0,60}\\d)[A-Za-z0-9]{80,}",
	"sl\\.[A-Za-z0-9_-]{100,}",
	"v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,}",
	"AKCp[A-Za-z0-9]{60,}",
];

/** Tokens: a JSON Web Token, signed or encrypted; the token of a bot of Discord. */
const TOKENS: readonly string[] = [
	"eyJ[A-Za-z0-9_-]{8,}\\.(?:eyJ)?[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*){1,3}",
	"[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}",
];

/** All of them; the group that a match is in tells what it is. */
export const KEY_FORMATS = new RegExp(
	`(?<key>${CLEAR.join("|")}|${START}(?:${AT_START.join("|")})${END})|(?<token>${START}(?:${TOKENS.join("|")})${END})`,
	"g",
);

export const KEY_GROUPS = ["key", "token"] as const satisfies readonly FindingKind[];
