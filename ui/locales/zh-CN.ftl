### Docket，简体中文。窗口、托盘、通知与终端共用一份目录。
### 各节与 en.ftl 次序相同，消息与变量一一对应。

## 权限申请：复制的文字

access-request = 请为我开通从 { $svc } 导出“{ $report }”的权限。
access-request-account = 账号：{ $subject }
access-request-number = 请求号：{ $id }
access-request-permission = 权限：{ $permission }

## 操作：按钮与菜单项

action-cancel = 取消
action-cancel-download = 取消下载
action-cancel-export = 取消导出
action-cancel-once-confirmed = 确认后取消
action-check-again = 再次查询
action-check-now = 立即查询
action-choose-folder = 更换文件夹
action-copy = 复制
action-copy-access-request = 复制权限申请
action-copy-details = 复制技术信息
action-copy-request-no = 复制请求号
action-download = 下载
action-download-again = 重新下载
action-download-to = 另存为…
action-edit = 修改
action-edit-and-resubmit = 修改后重新提交
action-export-again = 再次导出
action-export-again-failed = 重新导出
action-more = 更多
action-open-file = 打开文件
action-pause = 暂停
action-resend = 用原请求号重发
action-resume = 继续
action-resume-now = 立即继续
action-send-now = 立即发送
action-settle = 我已自行核实…
action-show-in-folder = 打开所在文件夹
action-sign-in = 登录
action-start-another = 另建导出…
action-submit-new-number = 换新请求号提交
action-switch-account = 切换账号
action-try-again = 重试

## 播报：朗读区

announce-change = { $report }：{ $label }。{ $sentence }
announce-copied = 已复制
announce-found = 找到 { $n } 个导出
announce-progress = { $report }：已完成 { $p }%

## 业务结果：第二项事实

business-cancelled = 已取消
business-detail-deferred = { $svc } 要求稍后再来
business-detail-kept = 保留至 { $time }
business-detail-may = 可能已受理，也可能没有
business-detail-never = 此请求号今后也不会生效
business-detail-none = 尚未发出任何内容
business-detail-said = { $svc } 于 { $span }前告知
business-detail-said-now = { $svc } 刚刚告知
business-expired = 已过期
business-failed = 未能完成
business-not-created = 未产生
business-queued = 已受理
business-rejected = 未产生
business-running = 生成中
business-succeeded = 已完成
business-unknown = 尚未确认
business-unsent = 尚未产生

## 调用原因：未发送或没有回执的缘由，用于括号内和间隔点之后

call-reason-access_refused = { $svc } 没有当前账号可用的该租户
call-reason-asked_to_wait = { $svc } 要求稍后重试
call-reason-certificate_untrusted = 证书不受信任
call-reason-closed_before_send = 发送前连接已关闭
call-reason-closed_without_answer = 连接中断
call-reason-connect_failed = 无法连接
call-reason-connect_timeout = 连接超时
call-reason-connection_refused = 连接被拒绝
call-reason-deferred = { $svc } 要求稍后重试
call-reason-garbled = 答复无法识别
call-reason-host_not_found = 无法解析 { $host }
call-reason-in_progress = { $svc } 仍在处理
call-reason-interrupted = Docket 被关闭
call-reason-mismatched = 答复的是另一项请求
call-reason-no_credential = 需要登录
call-reason-no_job_named = 答复中没有任务号
call-reason-no_network = 无网络
call-reason-not_the_service = 答复并非来自 { $svc }
call-reason-other = 原因不明
call-reason-proxy_refused = 代理拒绝连接
call-reason-proxy_sign_in = 代理需要登录
call-reason-redirect = 被重定向
call-reason-request_invalid = 地址无法使用
call-reason-reset = 连接被重置
call-reason-restored = 记录恢复自副本
call-reason-service_error = { $svc } 出错
call-reason-timeout = 等待超时
call-reason-tls_failed = 安全连接失败
call-reason-truncated = 答复不完整
call-reason-undecodable = 答复无法识别

## 调用：第一项事实

call-answered = 已答复
call-detail-answered = 用时 { $span }
call-detail-lost = { $span }后{ $reason }
call-lost = 没有回执
call-none = 尚未发送
call-not-sent = 未发送
call-under-way = 发送中
call-waiting = 尚无回执

## 服务检查

check-DK101 = 连接服务
check-DK101-about = { $host } 能够响应
check-DK102 = 证书与代理
check-DK102-about = 连接受本机信任
check-DK103 = 登录
check-DK103-about = 服务能识别请求人
check-DK104 = 按请求号查询
check-DK104-about = 回执丢失后可以核实
check-DK104-without = 缺少此能力时，回执丢失将无法自动确认。
check-DK105 = 断点续传
check-DK105-about = 大文件可从中断处继续
check-DK105-without = 下载中断后需从头开始。
check-again = 重新检查
check-allowed = 可导出 { $n } 种报表
check-checking = 检查中
check-fail = 不可用
check-next = 等待
check-pass = 正常
check-reason-other = 检查未通过。
check-reason-sign_in = 请登录该服务。
check-reason-unsupported = { $svc } 不提供此能力。
check-skipped = 未检查
check-skipped-about = 以上各项通过后再检查。
check-warn = 能力受限

## 对话框与防护

dialog-cancel-body = 将请求 { $svc } 停止“{ $report }”，导出可能先完成。
dialog-cancel-body-download = 文件仍保留在 { $svc }。
dialog-cancel-body-unknown = 将在 { $svc } 撤回请求号 { $id }；如果导出已经产生，则予以取消。
dialog-cancel-body-unsent = 尚未发送任何内容，不会产生导出任务。
dialog-cancel-keep = 保留
dialog-cancel-title = 取消这个导出？
dialog-cancel-title-download = 取消下载？
dialog-close = 关闭
dialog-copy-body = “{ $report }”（参数相同）当前为“{ $state }”，请求号 { $id }。再次导出会产生第二份。
dialog-copy-confirm = 仍要导出
dialog-copy-title = 已有相同的导出
dialog-dismiss = 暂不
dialog-near-body = 另一份“{ $report }”（参数不同）尚未确认，请求号 { $id }。如果本次是为了替代它，请先等待结果。
dialog-near-confirm = 仍要提交
dialog-near-show = 查看那一份
dialog-near-title = 有一份相近的导出尚未确认
dialog-remove-body = 将从本机移除 { $svc } 及其凭据，已结束的导出仍保留在列表中。
dialog-remove-confirm = 移除
dialog-remove-title = 移除 { $svc }？
dialog-settle-absent = { $svc } 没有这个导出
dialog-settle-absent-about = 仅当 { $svc } 已就请求号 { $id } 明确告知时选择。
dialog-settle-body = Docket 将以你填写的结果为准继续处理。
dialog-settle-candidate = { $id } · { $time } · { $status }
dialog-settle-confirm = 采用此结果
dialog-settle-job = 就是这个导出
dialog-settle-job-no = 任务号
dialog-settle-title = 你在 { $svc } 查到了什么？
dialog-sign-in-about = 令牌保存在系统钥匙串中；没有钥匙串时仅保留到 Docket 关闭。
dialog-sign-in-subject = 此导出由 { $subject } 提交，请以该账号登录后继续。
dialog-sign-in-title = 登录 { $svc }
dialog-start-another-body = 再次导出可能产生两份“{ $report }”，建议先再次查询，或凭请求号 { $id } 向 { $svc } 核实。
dialog-start-another-confirm = 仍要另建
dialog-start-another-title = 第一次请求可能已送达

## 参数摘要

digest-all = 全部
digest-no = 否
digest-some = { $n } / { $total }
digest-yes = 是

## 错误：Docket 未能照办

error-cannot_write = 该文件夹无法写入，请更换文件夹。
error-disk_full = 磁盘已满，未发送任何内容。
error-driven = 本机的另一个 Docket 正在运行，将由它执行。
error-internal = Docket 内部出错：{ $message }
error-invalid_address = 地址无法使用。应以 https:// 开头（仅本机可用 http://）。
error-invalid_parameters = 部分参数需要修改，未发送任何内容。
error-not_a_service = 该地址不是导出服务，请检查地址。
error-not_now = 当前阶段无法执行此操作。
error-open-about = 没有丢失任何内容：已发送的请求保持不变，也不会重复发送。
error-open-title = Docket 无法打开
error-open-unwritable = Docket 的文件夹无法写入，未发送任何内容。
error-other_account = 此凭据属于另一个账号。
error-service_in_use = 该服务还有未结束的导出，请先等待或取消。
error-sign_in_needed = 请先登录该服务。
error-store_damaged = Docket 的历史文件已损坏。请退出所有 Docket 后重新启动：旧文件会完整保留在旁边，能读出的内容继续使用。
error-store_busy = 另一个程序锁住了 Docket 的历史文件。请关闭它，然后重新启动 Docket。
error-store_foreign = Docket 历史文件的位置上是另一个程序的文件，未作任何改动。请把它移走后重新启动 Docket。
error-store_on_network = Docket 的记录位于网络文件夹，无法保证安全，请移到本机。
error-store_too_new = Docket 的记录由更新的版本写入，请更新 Docket。
error-store_unwritable = 无法在本机保存请求，未发送任何内容。
error-unknown_export = 列表中已没有这个导出。
error-unknown_operation = 该服务未向当前账号提供此报表。
error-unknown_service = 本机已没有该服务。
error-unreachable = 无法连接该服务，请检查地址和网络。

## 导出：列表

exports-all-clear = 没有需要处理的事项。
exports-clear = 清除
exports-density = 行距
exports-empty = 提交的请求都会保存在这里，断网也不会丢。
exports-empty-filter = 这里暂时没有导出。
exports-empty-title = 还没有导出
exports-no-hit = 没有与“{ $q }”匹配的导出。
exports-no-service = 先添加导出服务。
exports-observer = 本机的另一个 Docket 正在执行任务，此窗口同步显示。
exports-search = 名称或请求号
exports-section-finished = 最近
exports-section-in_progress = 进行中
exports-section-needs_attention = 需要处理
exports-summary = { $open } 个进行中
exports-summary-attention = { $n } 个需要处理
exports-summary-confirming = { $n } 个正在确认结果，无需操作
exports-summary-none = 没有进行中的导出
exports-unreadable = 这个导出的记录现在无法读取，但仍保留着；请退出 Docket 再重新启动，能读取的部分会继续。
exports-tab-all = 全部
exports-tab-finished = 已结束
exports-tabs = 筛选
exports-title = 导出

## 事实：详情底部

fact-content = 内容
fact-copied = 已复制
fact-copy = 复制{ $name }
fact-job-no = 任务号
fact-request-no = 请求号
fact-supersedes = 替代

## 文件卡片

file-digest-copy = 复制摘要
file-digest-verified = 校验通过
file-size-checked = 大小一致
file-until = 有效期至 { $time }

## 首次使用

first-back = 上一步
first-checks-about = 只读取信息，不会产生导出任务。
first-checks-title = 正在检查 { $svc }
first-checks-title-done = { $svc } 检查完成
first-continue = 继续
first-continue-anyway = 仍要继续
first-finish = 新建导出
first-lead = 提交导出，始终清楚每一次的结果。
first-leave = 随时可以离开，稍后再来设置。
first-own-about = 只需要地址和令牌。
first-own-title = 你的导出服务
first-practice = 试用练习服务
first-practice-about = 在本机运行，会故意丢失回执，看 Docket 如何核实结果。
first-practice-title = 手边没有服务？
first-skip = 跳过
first-step-checks = 五项检查
first-step-service = 添加服务
first-step-sign-in = 登录
first-step-welcome = 欢迎
first-title = 设置 Docket
first-welcome-about = Docket 会先把请求保存在本机，再发送。如果回执在途中丢失，它会核实结果，绝不重复提交。
first-welcome-title = 从哪里导出？

## 按钮旁的提示

hint-check = 查询不会重新提交。
hint-close = 可以关闭窗口。
hint-edit = 将新建请求，原请求保留在历史中。
hint-late = Docket 仍会不定期查询，有结果会自动更正。
hint-resend = 使用原请求号，不会产生两份。
hint-stays = 文件仍保留在 { $svc }。
hint-unsent = 可以确定尚未发送，可放心修改或取消。

## 挂起：使导出暂时无法继续的缘由

hold-access_withdrawn = 权限已收回
hold-access_withdrawn-sentence = { $svc } 已不允许下载该文件。
hold-cannot_write = 无法写入该位置
hold-cannot_write-sentence = { $folder }：{ $reason }。
hold-check_failed = 文件校验未通过
hold-check_failed-sentence = 文件与 { $svc } 声明不一致，未保留。
hold-download_interrupted = 下载中断
hold-download_interrupted-sentence = 已保留 { $done } / { $total }，{ $wait }后继续。
hold-download_interrupted-waits = 已保留 { $done } / { $total }。
hold-no_progress = 没有进展
hold-no_progress-sentence = { $svc } 已 { $span }没有新进展，每 30 分钟查询一次。
hold-no_space = 磁盘空间不足
hold-no_space-sentence = 需要 { $need }，剩余 { $free }，有空间后自动继续。
hold-no_space-waits = 需要 { $need }，剩余 { $free }。
hold-other_account = 账号不同
hold-other_account-sentence = 此导出由 { $subject } 提交，请以该账号登录后继续。
hold-paused = 已暂停
hold-paused-sentence = 已下载的部分会保留，继续时从中断处开始。
hold-restored_store = 来自副本
hold-restored_store-sentence = 本机记录来自备份或另一台电脑，发送前先查询。
hold-sign_in = 需要登录
hold-sign_in-sentence = 登录后继续查询，不会重复提交。
hold-sign_in-sentence-unsent = 登录后发送，目前尚未发送任何内容。

## 详情

inspector-call = 调用
inspector-candidates = 可能对应的导出
inspector-close = 关闭
inspector-export = 导出
inspector-field-errors = 需要修改
inspector-label = 导出详情
inspector-not-yet-service_cannot = { $svc } 不支持
inspector-not-yet-until_result_known = 结果确认后可用
inspector-progress-left = 预计剩余 { $span }
inspector-progress-none = 已开始 { $span }
inspector-progress-of = / { $total } { $unit }
inspector-progress-valuetext = 百分之{ $p }，预计剩余{ $span }
inspector-progress-valuetext-plain = 百分之{ $p }
inspector-rate = { $rate }/秒
inspector-timeline = 时间线
inspector-timeline-fold = { $n } 步 · { $span }
inspector-warnings = 请留意

## 导航

nav-exports = 导出
nav-label = 主导航
nav-new = 新建导出
nav-service-answers = 响应 { $span }
nav-service-sign-in = 需要登录
nav-service-unchecked = 尚未连接
nav-services = 服务
nav-settings = 设置

## 通知：历史文件出过什么事

notice-copy = 复制路径
notice-dismiss = 知道了
notice-label = 关于 Docket 的历史文件
notice-missing = 有 { $n } 个导出无法读出
notice-missing-at-least = 至少有 { $n } 个导出无法读出
notice-missing-none = 没有缺失
notice-missing-unknown = 无法判断是否有缺失
notice-store_damaged = Docket 的历史有一部分无法读出。请退出 Docket 后重新启动：旧文件会完整保留在旁边，能读出的内容继续使用。
notice-store_gone = 原来的历史文件不见了，Docket 新建了一份。以前发出的请求仍在各服务上。
notice-store_set_aside = Docket 的历史文件损坏，已完整保留在旁边。保存了 { $open } 个进行中和 { $over } 个已结束的导出，{ $missing }；进行中的都会先查询，再决定是否发送。旧文件在这里：

## 网络天气：练习服务

weather-about = 让练习服务的网络出问题，看 Docket 如何应对。
weather-clear = 恢复正常
weather-fair = 正常
weather-lose = 丢失下一次回执
weather-lose-about = 服务已开始导出，但答复收不到。
weather-lose-on = 下一次回执将丢失
weather-refuse = 拒绝连接 20 秒
weather-refuse-about = 无法连接，所以什么都不会发出。
weather-refuse-on = 拒绝连接，还有 { $wait }
weather-stall = 拖延下一次答复
weather-stall-about = 答复一直不来，直到 Docket 不再等待。
weather-stall-on = 下一次答复将被拖延
weather-title = 网络天气

## 下一步

next-abandon = { $wait }后撤回请求号
next-abandon-now = 正在撤回请求号
next-cancel = { $wait }后请求取消
next-cancel-now = 正在请求取消
next-checked = 已查询 { $n } 次
next-describe = { $wait }后连接
next-describe-now = 正在连接
next-download = { $wait }后继续下载
next-download-now = 正在下载
next-event-abandon = 撤回请求号
next-event-cancel = 请求取消
next-event-describe = 连接
next-event-download = 下载
next-event-lookup = 下次查询
next-event-person = 等待你处理
next-event-poll = 下次更新
next-event-submit = 发送
next-in = { $wait }后
next-lookup = { $wait }后再次查询
next-lookup-now = 正在查询
next-now = 现在
next-person = 等待你处理
next-poll = { $wait }后更新
next-poll-now = 正在询问进展
next-submit = { $wait }后发送
next-submit-again = { $wait }后用原请求号重发
next-submit-now = 正在发送
next-submit-waiting = 等待答复
next-until = 截止 { $time }

## 调用阶段

phase-await = 等待
phase-bar = { $kind }：到达“{ $phase }”
phase-connect = 连接
phase-lost-here = 丢失于此
phase-prepare = 准备
phase-secure = 加密
phase-send = 发送

## 证据：时间线中每次调用的结果

proof-abandoned = 没有任务，今后也不会有
proof-access_withdrawn = 权限已收回
proof-cannot_write = 无法写入
proof-deferred = 要求稍后再来
proof-described = 已答复
proof-file_gone = 文件已不再保留
proof-found = 已找到
proof-interrupted = 中断
proof-key_expired = 请求号可能已不再保留
proof-listed = 已比对记录
proof-no_space = 空间不足
proof-not_cancellable = 已结束，无法取消
proof-not_seen = 暂无记录
proof-refused = 被拒绝
proof-saved = 已保存
proof-sign_in = 需要登录
proof-stopped = 已停止
proof-under-way = 进行中
proof-wrong_digest = 校验不一致，已丢弃

## 结果未确认的缘由

unresolved-access_withdrawn = 访问权限已被收回，无法查询
unresolved-ambiguous_matches = { $svc } 有 { $n } 条记录可能是它
unresolved-answer_unreadable = { $svc } 的答复无法识别
unresolved-job_vanished = { $svc } 已受理，但现在查不到该导出
unresolved-key_breached = { $svc } 在同一请求号下有两份导出
unresolved-key_expired = { $svc } 可能已不再保留该请求号
unresolved-lookup_unsupported = { $svc } 不支持按请求号查询
unresolved-mismatched_answer = { $svc } 返回的是另一项请求的结果
unresolved-no_progress = { $svc } 长时间没有进展
unresolved-not_visible = { $svc } 暂无记录，但不能排除稍后出现
unresolved-other = 原因不明
unresolved-service_errors = { $svc } 持续返回错误
unresolved-service_unreachable = 始终无法连接 { $svc }
unresolved-sign_in_refused = 登录已过期，无法查询
unresolved-tail = 该导出可能已受理，也可能未受理。
unresolved-tail-accepted = 该导出已受理，请勿重复提交。
unresolved-tail-breached = 两份均列在下方，请确认哪一份属于本次请求。

## 请求：新建导出的表单

request-anyway = 仍要导出
request-change = 修改参数
request-choose = 选择报表
request-close-after = 提交后可以关闭窗口
request-custom = 自定义
request-days = { $n } 天
request-empty = { $svc } 未向当前账号提供报表。
request-error-choice = 请从列表中选择。
request-error-date = 请按 YYYY-MM-DD 输入日期。
request-error-integer = 请输入整数。
request-error-items-max = 最多选择 { $n } 项。
request-error-items-min = 至少选择 { $n } 项。
request-error-length-max = 最多 { $n } 个字符。
request-error-length-min = 至少 { $n } 个字符。
request-error-maximum = 不能大于 { $n }。
request-error-minimum = 不能小于 { $n }。
request-error-number = 请输入数字。
request-error-order = 结束日期早于开始日期。
request-error-pattern = 格式不符合要求。
request-error-required = 此项必填。
request-error-summary = { $n } 处需要修改。
request-find = 查找报表
request-folder = 文件夹
request-folder-change = 更改
request-format = 格式
request-free = 剩余 { $free }
request-from = 从
request-last-month = 上月
request-last-week = 上周
request-less = 收起
request-more = 另有 { $n } 项
request-no-catalogue = 无法读取 { $svc } 的报表。
request-none-found = 没有与“{ $q }”匹配的报表。
request-of = 已选 { $n } / { $total }
request-optional = 选填
request-period = 期间
request-reports = 报表
request-select-all = 全选
request-select-none = 全不选
request-service = 服务
request-step-file = { $svc } 生成文件
request-step-file-about = Docket 会跟进进度。
request-step-saved = 先存本机，再发送
request-step-saved-about = 程序异常或回执丢失都不会丢。
request-step-verified = 下载并校验
request-step-verified-about = 校验一致才会保留。
request-steps = 接下来
request-submit = 提交导出
request-submitting = 正在保存请求
request-summary = 摘要
request-title = 新建导出
request-to = 至
request-twin-body = { $report }（参数相同）当前为“{ $state }”，请求号 { $id }。
request-twin-show = 查看
request-twin-title = 已有相同的导出

## 短句：列表第二行

brief-accepted = 等待开始
brief-accepted-ahead = 前面还有 { $n } 个
brief-cancelled = { $svc } 已确认
brief-cancelled-by-service = 由 { $svc } 取消
brief-cancelling = 等待 { $svc } 确认
brief-confirming = 正在核实是否送达
brief-confirming-checked = 已查询 { $n } 次
brief-confirming-next = { $wait }后再次查询
brief-downloading = { $done } / { $total }
brief-downloading-starting = 正在开始
brief-expired = 文件已删除
brief-not_created-abandoned = 已确认，可放心重新提交
brief-not_created-abandoned_elsewhere = 已在另一台电脑上撤回
brief-not_created-by_hand = 由你注明
brief-not_created-never_sent = 未能及时发送
brief-not_created-withdrawn = 发送前已撤回
brief-ready = { $size }，有效期至 { $time }
brief-rejected-forbidden = 当前账号无权导出
brief-rejected-key-conflict = 请求号已用于其他内容
brief-rejected-plain = 没有产生导出任务
brief-running = 已处理 { $count } { $unit }
brief-running-left = 已处理 { $count } { $unit }，预计剩余 { $span }
brief-running-plain = 已开始
brief-sending = 发往 { $svc }
brief-waiting = { $reason }，{ $wait }后自动重试
brief-waiting-now = { $reason }，正在重试

## 句子：状态下的说明

sentence-accepted = { $svc } 已受理，等待开始，可以关闭 Docket。
sentence-accepted-ahead = { $svc } 已受理，前面还有 { $n } 个，可以关闭 Docket。
sentence-cancelled = 你于 { $time } 取消，{ $svc } 已确认。
sentence-cancelled-by-service = { $svc } 取消了该导出：{ $reason }。
sentence-cancelled-by-service-plain = { $svc } 取消了该导出。
sentence-cancelling = 等待 { $svc } 确认，导出可能先完成。
sentence-confirming = 请求已发出，但没有收到回执，正在向 { $svc } 核实是否已受理，请勿重复提交。
sentence-downloading = 正在从 { $svc } 下载文件，可以关闭窗口。
sentence-downloading-held = 已下载的部分会保留。
sentence-expired = { $svc } 已于 { $time } 删除该文件。
sentence-expired-plain = { $svc } 已不再保留该文件。
sentence-failed = { $svc } 已受理，但未能完成：{ $reason }。
sentence-failed-plain = { $svc } 已受理，但未能完成。
sentence-not_created-abandoned = { $svc } 已确认没有产生导出任务，此请求号今后也不会生效。
sentence-not_created-abandoned_elsewhere = 此请求号已在另一台电脑上撤回。
sentence-not_created-by_hand = 你已注明 { $svc } 没有此导出。
sentence-not_created-never_sent = 在 { $time } 之前始终未能发送，没有产生导出任务。
sentence-not_created-withdrawn = 发送前已撤回。
sentence-ready = 文件已生成，保留在 { $svc }。
sentence-rejected = { $svc } 未受理：{ $reason }。没有产生导出任务。
sentence-rejected-forbidden = 当前账号不能导出“{ $report }”，没有产生导出任务。
sentence-rejected-forbidden-ask = 当前账号不能导出“{ $report }”，请向 { $owner } 申请“{ $permission }”。没有产生导出任务。
sentence-rejected-key-conflict = 请求号 { $id } 已用于内容不同的请求，本次未被受理。
sentence-rejected-plain = { $svc } 未受理，没有产生导出任务。
sentence-running = { $svc } 正在生成，可以关闭窗口。
sentence-running-silent = { $span }未收到 { $svc } 的进展，仍在查询。
sentence-running-step = { $svc }：{ $step }，可以关闭窗口。
sentence-saved-digest = 已存到 { $folder } · 与 { $svc } 声明的摘要一致
sentence-saved-size = 已存到 { $folder } · 大小一致
sentence-sending = 正在发送到 { $svc }，可以关闭窗口。
sentence-unresolved = 仍未确认：{ $reason }。{ $tail }
sentence-unresolved-by = 截至 { $time } 仍未确认：{ $reason }。{ $tail }
sentence-waiting = 请求尚未到达 { $svc }（{ $reason }），{ $wait }后自动重试。
sentence-waiting-deferred = { $svc } 繁忙，要求 { $wait }后再来。
sentence-waiting-deferred-held = { $svc } 要求等待。
sentence-waiting-held = 请求尚未到达 { $svc }（{ $reason }）。
sentence-waiting-now = 请求尚未到达 { $svc }（{ $reason }），正在重试。

## 服务：添加与管理

service-add = 添加服务
service-address = 地址
service-address-about = 服务所在的地址，例如 https://reports.example.com
service-check = 检查
service-credential-keychain = 令牌保存在系统钥匙串
service-credential-none = 需要登录
service-credential-session = 无系统钥匙串，令牌仅保留到 Docket 关闭
service-error-address = 请输入以 https:// 开头的地址（本机可用 http://）。
service-error-tenant = 请输入服务方提供的租户。
service-name = 名称
service-name-about = 你对它的称呼，留空则使用服务自己的名称。
service-open = { $n } 个未结束的导出
service-practice-start = 启动练习服务
service-remove = 移除
service-signed-in = 已登录：{ $name }
service-tenant = 租户
service-tenant-about = 你所属的租户，通常与令牌一起提供。
service-token = 令牌
service-token-about = 不会再次显示，不写入日志，只发送给该服务。

## 设置

settings-density = 列表行距
settings-density-comfortable = 宽松
settings-density-compact = 紧凑
settings-general = 通用
settings-language = 语言
settings-services = 服务
settings-services-none = 还没有服务。
settings-theme = 外观
settings-theme-dark = 深色
settings-theme-light = 浅色
settings-theme-system = 跟随系统
settings-title = 设置
settings-version = Docket { $version }

## 时长

span-days = { $n } 天
span-hours = { $n } 小时
span-hours-minutes = { $h } 小时 { $m } 分
span-milliseconds = { $n } 毫秒
span-minutes = { $n } 分钟
span-minutes-seconds = { $m } 分 { $s } 秒
span-seconds = { $n } 秒
time-yesterday = 昨天

## 阶段：状态名

stage-accepted = 已受理
stage-cancelled = 已取消
stage-cancelling = 取消中
stage-confirming = 结果确认中
stage-downloading = 下载中
stage-downloading-percent = 下载中 { $p }
stage-expired = 文件已过期
stage-failed = { $svc } 生成失败
stage-not_created = 未产生导出
stage-ready = 可下载
stage-rejected = 需修改
stage-rejected-forbidden = 无权限
stage-rejected-key-conflict = 请求号冲突
stage-running = 生成中
stage-running-percent = 生成中 { $p }
stage-saved = 已保存
stage-sending = 发送中
stage-unresolved = 结果未确认
stage-waiting_to_send = 未发送，等待重试

## 句中的状态

state-accepted = 已受理
state-cancelled = 已取消
state-cancelling = 取消中
state-confirming = 结果确认中
state-downloading = 下载中
state-expired = 文件已过期
state-failed = 未能完成
state-not_created = 未产生导出
state-ready = 可下载
state-rejected = 未受理
state-running = 生成中
state-saved = 已保存
state-sending = 发送中
state-unresolved = 结果未确认
state-waiting_to_send = 未发送，等待重试

## 时间线事件

event-abandon = 撤回请求号
event-accepted = 已受理
event-cancel = 请求取消
event-describe = 询问 { $svc } 的能力
event-download = 下载
event-lookup = 第 { $n } 次查询
event-no-answer = 没有收到回执
event-not-sent = 未发送
event-poll-status-cancelled = 已取消
event-poll-status-expired = 文件已过期
event-poll-status-failed = 未能完成
event-poll-status-queued = 等待开始
event-poll-status-running = 开始生成
event-poll-status-succeeded = { $svc } 已生成文件
event-recorded = 已保存到本机
event-refused = 未受理
event-saved = 已保存并校验
event-submit = 已发送到 { $svc }
event-submit-again = 用原请求号再次发送到 { $svc }
event-submit-under-way = 正在发送到 { $svc }
event-times = × { $n }
event-waiting = 等待答复
span-download = 下载 { $span }
span-queued = 排队 { $span }
span-running = 生成 { $span }

## 服务的计数单位

unit-bytes = 字节
unit-rows = 行


### 窗口之外：终端、托盘、通知。由 Rust 使用。

## 阶段名称

terminal-stage-sending = 发送中
terminal-stage-waiting_to_send = 未发送，等待重试
terminal-stage-confirming = 结果确认中
terminal-stage-accepted = 已受理
terminal-stage-running = 生成中
terminal-stage-cancelling = 取消中
terminal-stage-ready = 可下载
terminal-stage-downloading = 下载中
terminal-stage-saved = 已保存
terminal-stage-rejected = 需修改
terminal-stage-not_created = 未产生导出
terminal-stage-failed = { $service } 生成失败
terminal-stage-cancelled = 已取消
terminal-stage-expired = 文件已过期
terminal-stage-unresolved = 结果未确认

## 每个阶段一句话

terminal-line-sending = 发送到 { $service }。
terminal-line-waiting_to_send = 尚未受理（{ $reason }），稍后以同一请求号自动重试。
terminal-line-waiting_to_send-held = 尚未受理（{ $reason }）。
terminal-line-confirming = 请求已发出，但没有收到回执，正在向 { $service } 核实是否已受理。查询不会重新提交，请勿重复提交。
terminal-line-accepted = { $service } 已受理，等待开始。
terminal-line-running = { $service } 正在生成。
terminal-line-running-count = { $done } / { $total } { $unit }，{ $percent } %。
terminal-line-running-done = 已处理 { $done } { $unit }。
terminal-line-cancelling = 等待 { $service } 确认，导出可能先完成。
terminal-line-ready = 可从 { $service } 下载文件。
terminal-line-downloading = { $done } / { $total }。
terminal-line-downloading-open = 已下载 { $done }。
terminal-line-saved = { $path }，{ $size }，摘要校验通过。
terminal-line-saved-size = { $path }，{ $size }，大小一致（{ $service } 未提供摘要）。
terminal-line-rejected = { $service } 未受理：{ $reason }没有产生导出任务。
terminal-line-not_created = { $reason }
terminal-line-failed = { $service } 已受理，但未能完成：{ $reason }
terminal-line-cancelled = { $service } 已确认取消。
terminal-line-expired = { $service } 已不再保留该文件，需要时请再次导出。
terminal-line-unresolved = { $reason }。该导出可能已受理，也可能未受理，请勿重复提交。可用 `docket check { $id }` 再次查询。

## 接在另一请求之后的请求在等什么

terminal-turn-after_seal = 等到之前的请求确定不会再开始导出后才发送，以免出现两份。尚未发送任何内容。
terminal-turn-person = 之前的请求可能已经开始了这份导出。可用 `docket resend { $id }` 仍然发送这一份，或用 `docket cancel { $id }` 撤回。

## 暂停原因

terminal-hold-other_account = 此导出由另一账号提交，请用该账号登录：`docket service sign-in { $service }`。
terminal-hold-restored_store = 本机记录来自副本，发送前先查询。
terminal-hold-sign_in = 需要登录：运行 `docket service sign-in { $service }`。不会重复提交。
terminal-hold-access_withdrawn = { $service } 已不允许下载该文件。
terminal-hold-paused = 已暂停。再提交一次相同的导出即可继续。
terminal-hold-cannot_write = 无法保存到 { $folder }：{ $problem }。请处理好，或用 --output 换一个文件夹，再提交一次相同的导出。
terminal-hold-no_space = 磁盘空间不足：需要 { $needed }，剩余 { $free }。有空间后自动继续。
terminal-hold-no_space-waits = 磁盘空间不足：需要 { $needed }，剩余 { $free }。腾出空间后，再次请求同一导出即可继续。
terminal-hold-check_failed = 文件与 { $service } 声明不一致，未保留。再提交一次相同的导出即可重新下载。
terminal-hold-download_interrupted = 下载中断，已下载的部分保留，稍后自动继续。
terminal-hold-download_interrupted-waits = 下载中断，不再自动重试。已下载的部分保留，再次请求同一导出即可继续。
terminal-hold-no_progress = { $service } 已有一段时间没有新进展，每 30 分钟查询一次。

## 未送达或没有回执的原因

terminal-call-no_network = 无网络
terminal-call-host_not_found = 无法解析主机名
terminal-call-connection_refused = 连接被拒绝
terminal-call-connect_timeout = 连接超时
terminal-call-connect_failed = 无法连接
terminal-call-certificate_untrusted = 证书不受信任
terminal-call-tls_failed = 无法建立安全连接
terminal-call-proxy_refused = 代理拒绝连接
terminal-call-proxy_sign_in = 代理需要登录
terminal-call-no_credential = 需要登录
terminal-call-access_refused = 服务没有当前账号可用的该租户
terminal-call-asked_to_wait = 服务要求稍后重试
terminal-call-request_invalid = 无法生成请求
terminal-call-closed_before_send = 发送前连接已断开
terminal-call-closed_without_answer = 连接断开，没有回执
terminal-call-reset = 连接被重置
terminal-call-timeout = 等待回执超时
terminal-call-truncated = 回执不完整
terminal-call-garbled = 回执无法读取
terminal-call-not_the_service = 回执不是该服务发出的
terminal-call-service_error = 服务出错
terminal-call-redirect = 被重定向，未跟随
terminal-call-no_job_named = 回执未给出导出编号
terminal-call-undecodable = 回执无法识别
terminal-call-mismatched = 回执与本请求不符
terminal-call-in_progress = 服务仍在处理该请求
terminal-call-interrupted = Docket 在请求途中结束
terminal-call-restored = 未知，因为本机记录来自副本
terminal-call-asked-to-wait = 服务要求稍后重试

## 结果未确认的原因

terminal-unresolved-service_unreachable = 始终无法连接 { $service }
terminal-unresolved-service_errors = { $service } 持续返回错误
terminal-unresolved-answer_unreadable = { $service } 的答复无法识别
terminal-unresolved-sign_in_refused = 登录已过期，无法查询
terminal-unresolved-access_withdrawn = 访问权限已被收回，无法查询
terminal-unresolved-not_visible = { $service } 暂无记录，但不能排除稍后出现
terminal-unresolved-lookup_unsupported = { $service } 不支持按请求号查询
terminal-unresolved-ambiguous_matches = { $service } 有多条记录可能是它
terminal-unresolved-mismatched_answer = { $service } 返回的是另一项请求的结果
terminal-unresolved-key_expired = { $service } 可能已不再保留该请求号
terminal-unresolved-key_breached = { $service } 在同一请求号下有两份导出
terminal-unresolved-job_vanished = { $service } 已受理，但现在查不到该导出
terminal-unresolved-no_progress = { $service } 已很久没有进展

## Docket 查不到时，可由本人核实的内容

terminal-by-hand-lookup_unsupported = 请到 { $service } 自行查看，再注明结果：`docket settle { $id } --job 编号`；若没有且不会再有，用 `--absent`。
terminal-by-hand-not_visible = 也可到 { $service } 自行查看，再注明结果：`docket settle { $id } --job 编号`，或 `--absent`。
terminal-by-hand-ambiguous_matches = `docket show { $id }` 列出了这些记录，请注明是哪一条：`docket settle { $id } --job 编号`。
terminal-by-hand-key_breached = `docket show { $id }` 列出了这些记录，请注明是哪一条：`docket settle { $id } --job 编号`。
terminal-settle-not-there = { $service } 没有当前账号可见的导出 { $job }。请核对编号后重新注明。
terminal-settle-not-ours = { $job } 不是此导出：它在 { $service } 对应另一项请求。请核对编号后重新注明。

## 确定没有导出任务的原因

terminal-absent-withdrawn = 发送前已撤回，可放心重新提交。
terminal-absent-never_sent = 始终未能发送，没有产生导出任务，可放心重新提交。
terminal-absent-abandoned = { $service } 已确认没有产生导出任务，此请求号今后也不会生效，可放心重新提交。
terminal-absent-abandoned_elsewhere = 此请求号已在另一台电脑上撤回，可放心重新提交。
terminal-absent-by_hand = 你已注明 { $service } 没有此导出，可放心重新提交。

## 有专门说法的拒绝

terminal-problem-forbidden = 当前账号无权导出。
terminal-problem-unknown-operation = 当前账号没有这个报表。
terminal-problem-invalid-parameters = 部分参数有误。
terminal-problem-key-conflict = 此请求号已用于内容不同的请求。
terminal-problem-too-large = 请求过大。
terminal-problem-unknown = 未给出原因。

## 错误

terminal-error-unknown_export = 本机没有这个导出。用 `docket list` 查看。
terminal-error-unknown_service = 本机没有这个服务。用 `docket service list` 查看。
terminal-error-unknown_operation = 服务没有向当前账号提供这个报表。用 `docket operations` 查看。
terminal-error-invalid_parameters = 部分参数有误，请修改后重新提交。
terminal-error-invalid_address = 该地址或租户无法使用。地址请用 https://，本机可用 http://；租户只写名称。
terminal-error-unreachable = 无法连接服务。请检查地址和网络。
terminal-error-not_a_service = 该地址上不是导出服务。请检查地址。
terminal-error-sign_in_needed = 需要登录。运行 `docket service sign-in`。
terminal-error-other_account = 这是另一账号的登录。请使用提交导出的账号。
terminal-error-not_now = 当前阶段不能这样做。用 `docket show` 查看可做的操作。
terminal-error-driven = 另一个 Docket 正在处理这个文件夹里的导出，由它继续即可。
terminal-error-service_in_use = 该服务还有未结束的导出，请先处理。
terminal-error-cannot_write = 文件夹无法写入。请换一个。
terminal-error-store_unwritable = Docket 的文件夹无法写入，未记录任何内容。请给予写入权限。
terminal-error-store_too_new = 这份记录由更新版本的 Docket 写入。请更新 Docket；没有改动任何内容。
terminal-error-store_damaged = 历史文件已损坏，不再写入。请退出所有 Docket 后重新启动，旧文件会完整保留在旁边。
terminal-error-store_busy = 另一个程序锁住了历史文件。请关闭它后重试；没有记录任何内容。
terminal-error-store_foreign = 历史文件的位置上是另一个程序的文件，未作任何改动。请把它移走，或把 DOCKET_HOME 设为其他文件夹。
terminal-error-store_on_network = 记录位于网络文件夹。请把 DOCKET_HOME 设为本机文件夹。
terminal-error-disk_full = 磁盘已满，未记录任何内容。请清理后重新提交。
terminal-error-internal = Docket 内部出错。没有丢失任何内容，可用 `docket list` 查看。
terminal-error-settings-unreadable = 无法读取 { $path }：{ $problem }。没有改动任何内容。
terminal-error-settings-malformed = { $path } 不是有效的 TOML（第 { $line } 行）。请修改或移开它；没有改动任何内容。
terminal-error-settings-value = { $path }：`{ $key }` 应为{ $expected }。请修改；没有改动任何内容。
terminal-error-settings-unwritable = 无法写入 { $path }：{ $problem }。设置保持不变。

terminal-error-no-services = 还没有添加服务。用 `docket service add URL --tenant T` 添加。
terminal-error-which-service = 已添加多个服务，请用 --service 指定。现有：{ $names }。
terminal-error-no-such-service = 没有名为“{ $name }”的服务。用 `docket service list` 查看。
terminal-error-same-name = 有多个服务名为“{ $name }”。请改用 `docket service list` 中的编号。
terminal-error-no-such-operation = { $service } 没有向当前账号提供报表“{ $operation }”。现有：{ $names }。
terminal-error-no-such-format = “{ $operation }”没有格式“{ $format }”。现有：{ $names }。
terminal-error-no-token = 没有提供凭据。请用 --token-stdin 传入，或设置 DOCKET_TOKEN。
terminal-error-token-unreadable = 无法从输入读取凭据。请以一行传入。
terminal-error-token-environment = DOCKET_TOKEN 中不是凭据：应为不含空格的一个词。没有发送任何内容。
terminal-error-parameter-shape = 参数应写成 name=value，而不是“{ $text }”。
terminal-error-parameter-unknown = “{ $operation }”没有参数“{ $name }”。现有：{ $names }。
terminal-error-parameter-type = 参数“{ $name }”应为{ $expected }，而不是“{ $value }”。
terminal-error-parameter-choice = 参数“{ $name }”应为 { $choices } 之一，而不是“{ $value }”。
terminal-error-parameter-twice = 参数“{ $name }”只能有一个值，但给了多个。
terminal-error-parameter-missing = 缺少参数“{ $name }”。
terminal-error-parameters-json = --params-json 应为一个 JSON 对象：{ $problem }。没有记录任何内容。
terminal-error-parameters-number = 数字 { $literal } 无法精确保存；长编号和金额请用引号写成文本。
terminal-error-parameters-file = 无法读取 { $path }：{ $problem }。没有记录任何内容。
terminal-error-field = { $field }：{ $problem }
terminal-error-settle-open = Docket 仍在查询 { $id } 的结果。请等待，或用 `docket check { $id }` 立即查询。
terminal-error-settle-over = { $id } 的结果已经确定，用 `docket show { $id }` 查看。
terminal-error-near-twin = { $id } 是同一报表的另一组参数，结果尚未确认。请先用 `docket check { $id }` 查询，或加 --anyway 提交；没有记录新的导出。
terminal-error-in-terminal = 无法写到终端：{ $problem }
terminal-error-practice = 无法启动练习服务：{ $problem }
terminal-error-demo-other = 另一个 Docket 正在使用这个文件夹，无法演示。请先关闭它，或把 DOCKET_HOME 设为空文件夹。
terminal-error-demo-ended = 演示没有按预期结束：“{ $stage }”。用 `docket show { $id }` 查看详情。

terminal-type-integer = 整数
terminal-type-number = 数字
terminal-type-boolean = true 或 false
terminal-type-string = 文本
terminal-type-object = JSON 对象
terminal-type-null = null

## 表格

terminal-column-name = 名称
terminal-column-id = 编号
terminal-column-service = 服务
terminal-column-address = 地址
terminal-column-tenant = 租户
terminal-column-credential = 凭据
terminal-column-open = 未结束
terminal-column-report = 报表
terminal-column-formats = 格式
terminal-column-title = 标题
terminal-column-parameters = 参数
terminal-column-stage = 阶段
terminal-column-asked = 提交时间
terminal-column-check = 检查项
terminal-column-result = 结果
terminal-none = 无。
terminal-notice-missing = 有 { $count } 个导出无法读出
terminal-notice-missing-at-least = 至少有 { $count } 个导出无法读出
terminal-notice-missing-none = 没有缺失
terminal-notice-missing-unknown = 无法判断是否有缺失
terminal-notice-store_damaged = 历史文件 { $path } 有一部分无法读出：请退出所有 Docket 后重新启动，旧文件会完整保留在旁边。
terminal-notice-store_gone = 原来在 { $path } 的历史文件不见了，已新建一份；以前发出的请求仍在各服务上（读过后运行 `docket notices --dismiss`）。
terminal-notice-store_set_aside = 历史文件损坏，已完整保留为 { $path }：保存了 { $open } 个进行中和 { $over } 个已结束的导出，{ $missing }；进行中的都会先查询，再决定是否发送（读过后运行 `docket notices --dismiss`）。
terminal-more = 还有更多，可用 --stage 缩小范围。
terminal-unreadable = 有 { $count } 个导出现在无法读取，未列出。请退出所有 Docket 再重新启动：历史文件会完整另存，能读取的部分会继续。

terminal-credential-keychain = 钥匙串
terminal-credential-session = 程序结束前有效
terminal-credential-none = 无

terminal-check-DK101 = 能连接服务
terminal-check-DK102 = 证书与代理
terminal-check-DK103 = 登录
terminal-check-DK104 = 按请求号查询
terminal-check-DK105 = 断点续传
terminal-outcome-pass = 通过
terminal-outcome-warn = 部分可用
terminal-outcome-fail = 未通过
terminal-outcome-skipped = 未检查

terminal-fact-id = 导出
terminal-fact-request = 请求号
terminal-fact-service = 服务
terminal-fact-report = 报表
terminal-fact-parameters = 参数
terminal-fact-call = 调用
terminal-fact-export = 结果
terminal-fact-job = 服务端编号
terminal-fact-next = 下一步
terminal-fact-until = 截止
terminal-fact-file = 文件
terminal-fact-digest = SHA-256
terminal-fact-attempts = 调用记录
terminal-fact-candidates = 可能的记录
terminal-times = { $count } 次

terminal-call-result-not_sent = 未发送
terminal-call-result-lost = 没有回执
terminal-call-result-answered = 已答复
terminal-call-result-open = 进行中

terminal-outcome-of-unknown = 未知
terminal-outcome-of-not_created = 未产生
terminal-outcome-of-rejected = 未受理
terminal-outcome-of-queued = 排队中
terminal-outcome-of-running = 生成中
terminal-outcome-of-succeeded = 成功
terminal-outcome-of-failed = 生成失败
terminal-outcome-of-cancelled = 已取消
terminal-outcome-of-expired = 已过期

terminal-kind-describe = 询问服务能力
terminal-kind-submit = 发送
terminal-kind-lookup = 查询
terminal-kind-poll = 询问进度
terminal-kind-abandon = 撤销请求号
terminal-kind-cancel = 取消
terminal-kind-download = 下载文件

## 命令的结果

terminal-added = 已添加 { $name }（{ $address }）。
terminal-added-unreachable = 现在无法连接；提交的导出会等待，能连接时自动发送。
terminal-added-no-credential = 尚未登录：运行 `docket service sign-in { $name }`。
terminal-session-only = 这台电脑没有可用的钥匙串，登录只保留到本程序结束。之后的命令请设置 DOCKET_TOKEN。
terminal-removed = 已移除 { $name }。
terminal-signed-in = 已以 { $caller } 登录 { $name }。
terminal-signed-in-unknown = 已登录 { $name }。
terminal-already = 同一次点击已记录过。
terminal-twin = 已有相同的导出：{ $id } 当前为“{ $stage }”。没有新建，继续观察该导出。
terminal-recorded-only = 已记录。Docket 下次运行时发送：`docket run`，或打开窗口。
terminal-recorded-driven = 已记录，由已打开的 Docket 发送。
terminal-watching = 另一个 Docket 正在处理导出，这里只观察。
terminal-stopped = 已停止观察：{ $id } 当前为“{ $stage }”。{ $line }没有丢失任何内容，{ $where }
terminal-stopped-driven = 由已打开的 Docket 继续。
terminal-stopped-here = 运行 `docket run` 或打开窗口后继续。
terminal-still-open = { $id } 尚未结束，{ $where }
terminal-driving = 正在处理 { $count } 个未结束的导出。按 Ctrl-C 结束，不会丢失任何内容。
terminal-driving-none = 没有未结束的导出，等待新的导出；按 Ctrl-C 结束。
terminal-run-stopped = 已停止。未结束的导出在运行 `docket run` 或打开窗口后继续。
terminal-all-answered = 所有导出都已结束，或在等待你处理。

## 演示

terminal-demo-service = 练习服务运行在 { $address }，仅用于本次演示。
terminal-demo-rule = 它会丢失下一次请求的回执：导出已产生，但回执不会送达。
terminal-demo-recorded = 请求先保存在本机，尚未发送。导出 { $id }。
terminal-demo-sent = 已发送一次，请求号 { $key }。
terminal-demo-lost = 没有收到回执：{ $reason }。导出可能已产生，也可能没有；盲目重发可能产生两份。
terminal-demo-confirming = 确认中：按请求号向服务查询，不会重新提交。
terminal-demo-looked = 已查到：服务端编号 { $job }。只有一份导出，只产生了一次。
terminal-demo-running = 生成中：{ $percent } %（{ $done } / { $total } { $unit }）。
terminal-demo-ready = 文件已就绪：{ $file }，{ $size }。
terminal-demo-saved = 已保存：{ $path }
terminal-demo-verified = 摘要与服务声明一致：{ $digest }
terminal-demo-end = 一次点击，一个请求号，一份导出，一个校验通过的文件。用时 { $seconds } 秒。

## 托盘

tray-headline-idle = 没有进行中的导出
tray-headline-attention = { $count } 个导出需要处理
tray-headline-open = { $count } 个进行中
tray-headline-confirming = { $count } 个进行中 · { $confirming } 个正在确认结果，无需操作
tray-new-export = 新建导出
tray-open = 打开 Docket
tray-quit = 退出
