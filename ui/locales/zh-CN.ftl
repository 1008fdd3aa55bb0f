# Docket，简体中文。窗口、托盘、通知与终端共用一份目录。

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

## 暂停原因

terminal-hold-other_account = 此导出由另一账号提交，请用该账号登录：`docket service sign-in { $service }`。
terminal-hold-restored_store = 本机记录来自副本，发送前先查询。
terminal-hold-sign_in = 需要登录：运行 `docket service sign-in { $service }`。不会重复提交。
terminal-hold-access_withdrawn = { $service } 已不允许下载该文件。
terminal-hold-paused = 已暂停。
terminal-hold-cannot_write = 无法保存到 { $folder }：{ $problem }
terminal-hold-no_space = 磁盘空间不足：需要 { $needed }，剩余 { $free }。有空间后自动继续。
terminal-hold-check_failed = 文件与 { $service } 声明不一致，未保留。
terminal-hold-download_interrupted = 下载中断，已下载的部分保留，稍后自动继续。
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
terminal-error-invalid_address = 该地址无法使用。请用 https://，本机可用 http://。
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
terminal-error-store_damaged = 记录文件已损坏，或不是 Docket 的文件。请移开它或恢复备份；没有改动任何内容。
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
terminal-error-parameter-shape = 参数应写成 name=value，而不是“{ $text }”。
terminal-error-parameter-unknown = “{ $operation }”没有参数“{ $name }”。现有：{ $names }。
terminal-error-parameter-type = 参数“{ $name }”应为{ $expected }，而不是“{ $value }”。
terminal-error-parameter-choice = 参数“{ $name }”应为 { $choices } 之一，而不是“{ $value }”。
terminal-error-parameter-twice = 参数“{ $name }”只能有一个值，但给了多个。
terminal-error-parameter-missing = 缺少参数“{ $name }”。
terminal-error-parameters-json = --params-json 应为一个 JSON 对象：{ $problem }
terminal-error-parameters-file = 无法读取 { $path }：{ $problem }
terminal-error-field = { $field }：{ $problem }
terminal-error-twin = 已有相同的导出：{ $id } 当前为“{ $stage }”。用 `docket show { $id }` 查看；没有新建。
terminal-error-near-twin = { $id } 是同一报表的另一组参数，结果尚未确认。请先用 `docket check { $id }` 查询；没有新建。
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
terminal-more = 还有更多，可用 --stage 缩小范围。

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
terminal-demo-downloading = 下载中。
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

## 通知与系统对话框

notify-start-title = Docket 无法打开
notify-store = { $problem }
