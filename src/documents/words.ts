import type { STUDY_LEVELS } from "../contract/fields.ts";

/** The few words on a page that are ours. */
export interface Words {
  readonly links: string;
  readonly noLinks: string;
  readonly profile: string;
  readonly saveContact: string;
  readonly qrCode: string;
  readonly work: string;
  readonly projects: string;
  readonly education: string;
  /** What a period ends with that goes on. */
  readonly now: string;
  readonly remote: string;
  readonly openSource: string;
  readonly visit: string;
  readonly source: string;
  readonly levels: Readonly<Record<(typeof STUDY_LEVELS)[number], string>>;
}

const ENGLISH: Words = {
  links: "Links",
  noLinks: "There are no links here yet.",
  profile: "Profile",
  saveContact: "Save contact",
  qrCode: "QR code",
  work: "Work",
  projects: "Projects",
  education: "Education",
  now: "now",
  remote: "Remote",
  openSource: "Open source",
  visit: "Visit",
  source: "Source",
  levels: {
    HIGH_SCHOOL: "High school",
    ASSOCIATE: "Associate degree",
    BACHELOR: "Bachelor’s degree",
    MASTER: "Master’s degree",
    DOCTORATE: "Doctorate",
    BOOTCAMP: "Bootcamp",
    OTHER: "Studies",
  },
};

const LANGUAGES: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  de: {
    links: "Links",
    noLinks: "Hier gibt es noch keine Links.",
    profile: "Profil",
    saveContact: "Kontakt speichern",
    qrCode: "QR-Code",
    work: "Berufserfahrung",
    projects: "Projekte",
    education: "Ausbildung",
    now: "heute",
    remote: "Remote",
    openSource: "Open Source",
    visit: "Ansehen",
    source: "Quelltext",
    levels: {
      HIGH_SCHOOL: "Schulabschluss",
      ASSOCIATE: "Associate Degree",
      BACHELOR: "Bachelor",
      MASTER: "Master",
      DOCTORATE: "Promotion",
      BOOTCAMP: "Bootcamp",
      OTHER: "Studium",
    },
  },
  fr: {
    links: "Liens",
    noLinks: "Il n’y a pas encore de liens ici.",
    profile: "Profil",
    saveContact: "Enregistrer le contact",
    qrCode: "Code QR",
    work: "Expérience",
    projects: "Projets",
    education: "Formation",
    now: "aujourd’hui",
    remote: "À distance",
    openSource: "Open source",
    visit: "Voir",
    source: "Code source",
    levels: {
      HIGH_SCHOOL: "Baccalauréat",
      ASSOCIATE: "Associate degree",
      BACHELOR: "Licence",
      MASTER: "Master",
      DOCTORATE: "Doctorat",
      BOOTCAMP: "Bootcamp",
      OTHER: "Études",
    },
  },
  es: {
    links: "Enlaces",
    noLinks: "Todavía no hay enlaces aquí.",
    profile: "Perfil",
    saveContact: "Guardar contacto",
    qrCode: "Código QR",
    work: "Experiencia",
    projects: "Proyectos",
    education: "Formación",
    now: "actualidad",
    remote: "A distancia",
    openSource: "Código abierto",
    visit: "Ver",
    source: "Código fuente",
    levels: {
      HIGH_SCHOOL: "Bachillerato",
      ASSOCIATE: "Grado asociado",
      BACHELOR: "Grado",
      MASTER: "Máster",
      DOCTORATE: "Doctorado",
      BOOTCAMP: "Bootcamp",
      OTHER: "Estudios",
    },
  },
  pt: {
    links: "Links",
    noLinks: "Ainda não há links aqui.",
    profile: "Perfil",
    saveContact: "Guardar contacto",
    qrCode: "Código QR",
    work: "Experiência",
    projects: "Projetos",
    education: "Formação",
    now: "presente",
    remote: "Remoto",
    openSource: "Código aberto",
    visit: "Ver",
    source: "Código-fonte",
    levels: {
      HIGH_SCHOOL: "Ensino secundário",
      ASSOCIATE: "Grau de associado",
      BACHELOR: "Licenciatura",
      MASTER: "Mestrado",
      DOCTORATE: "Doutoramento",
      BOOTCAMP: "Bootcamp",
      OTHER: "Estudos",
    },
  },
  ja: {
    links: "リンク",
    noLinks: "リンクはまだありません。",
    profile: "プロフィール",
    saveContact: "連絡先を保存",
    qrCode: "QRコード",
    work: "職歴",
    projects: "プロジェクト",
    education: "学歴",
    now: "現在",
    remote: "リモート",
    openSource: "オープンソース",
    visit: "見る",
    source: "ソースコード",
    levels: {
      HIGH_SCHOOL: "高等学校",
      ASSOCIATE: "準学士",
      BACHELOR: "学士",
      MASTER: "修士",
      DOCTORATE: "博士",
      BOOTCAMP: "ブートキャンプ",
      OTHER: "その他",
    },
  },
  ar: {
    links: "الروابط",
    noLinks: "لا توجد روابط هنا بعد.",
    profile: "الملف الشخصي",
    saveContact: "حفظ جهة الاتصال",
    qrCode: "رمز QR",
    work: "الخبرة المهنية",
    projects: "المشاريع",
    education: "التعليم",
    now: "الآن",
    remote: "عن بُعد",
    openSource: "مفتوح المصدر",
    visit: "زيارة",
    source: "الشيفرة المصدرية",
    levels: {
      HIGH_SCHOOL: "الثانوية",
      ASSOCIATE: "دبلوم مشارك",
      BACHELOR: "بكالوريوس",
      MASTER: "ماجستير",
      DOCTORATE: "دكتوراه",
      BOOTCAMP: "معسكر تدريبي",
      OTHER: "دراسات",
    },
  },
  he: {
    links: "קישורים",
    noLinks: "אין כאן קישורים עדיין.",
    profile: "פרופיל",
    saveContact: "שמירת איש קשר",
    qrCode: "קוד QR",
    work: "ניסיון תעסוקתי",
    projects: "פרויקטים",
    education: "השכלה",
    now: "היום",
    remote: "מרחוק",
    openSource: "קוד פתוח",
    visit: "לצפייה",
    source: "קוד המקור",
    levels: {
      HIGH_SCHOOL: "תיכון",
      ASSOCIATE: "תואר נלווה",
      BACHELOR: "תואר ראשון",
      MASTER: "תואר שני",
      DOCTORATE: "דוקטורט",
      BOOTCAMP: "בוטקאמפ",
      OTHER: "לימודים",
    },
  },
};

/** Our words in a language, by its tag; where we do not have it, in English. */
export function wordsIn(language: string | undefined): Words {
  return knownWordsIn(language ?? "en") ?? ENGLISH;
}

/** Whether our words on a page in this language are English for want of others. */
export function areForeignWordsIn(language: string): boolean {
  return knownWordsIn(language) === undefined;
}

function knownWordsIn(language: string): Words | undefined {
  const [primary = ""] = language.toLowerCase().split("-");
  return Object.hasOwn(LANGUAGES, primary) ? LANGUAGES[primary] : undefined;
}
